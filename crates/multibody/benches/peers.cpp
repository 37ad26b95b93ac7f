// Forward dynamics of chains of hinges by MuJoCo and Pinocchio, and the energy that MuJoCo's Runge-Kutta steps lose: the
// same chains, states and questions as in aba.rs. peers.py compiles and runs both.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mujoco/mujoco.h>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>
#include <string>
#include <vector>

static double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Rods of 1 kg, hinged about y (or about y and x in turn).
static std::string chain(int n, double length, bool spatial, const char *options) {
  char text[512];
  const double moment = length * length / 12;
  std::snprintf(text, sizeof text, "<mujoco><option gravity=\"0 0 -9.81\" %s/><worldbody>", options);
  std::string out = text;
  for (int k = 0; k < n; k++) {
    std::snprintf(text, sizeof text,
                  "<body pos=\"0 0 %.17g\"><joint axis=\"%s\"/><inertial mass=\"1\" pos=\"0 0 %.17g\" diaginertia=\"%.17g %.17g 1e-4\"/>",
                  k == 0 ? 0.0 : -length, spatial && k % 2 == 1 ? "1 0 0" : "0 1 0", -0.5 * length, moment, moment);
    out += text;
  }
  for (int k = 0; k < n; k++) out += "</body>";
  return out + "</worldbody></mujoco>";
}

static mjModel *compiled(const std::string &text) {
  char error[1000] = "";
  mjVFS files;
  mj_defaultVFS(&files);
  mj_addBufferVFS(&files, "chain.xml", text.c_str(), int(text.size()));
  mjModel *model = mj_loadXML("chain.xml", &files, error, sizeof error);
  mj_deleteVFS(&files);
  if (!model) {
    std::fprintf(stderr, "MuJoCo does not take the chain: %s\n", error);
    std::exit(1);
  }
  return model;
}

static double position(int k) { return 0.3 + 0.1 * (k % 7); }
static double velocity(int k) { return 0.2 - 0.1 * (k % 5); }

static double by_mujoco(int n, int calls, double &sum) {
  mjModel *model = compiled(chain(n, 0.1, true, ""));
  mjData *data = mj_makeData(model);
  for (int k = 0; k < n; k++) {
    data->qpos[k] = position(k);
    data->qvel[k] = velocity(k);
    data->qfrc_applied[k] = 0.1;
  }
  mj_forward(model, data);
  const double begun = cpu_seconds();
  for (int k = 0; k < calls; k++) mj_forward(model, data);
  const double spent = (cpu_seconds() - begun) / calls;
  sum = 0;
  for (int k = 0; k < n; k++) sum += std::abs(data->qacc[k]);
  mj_deleteData(data);
  mj_deleteModel(model);
  return spent;
}

static double by_pinocchio(int n, int calls, pinocchio::Convention convention, double &sum) {
  using namespace pinocchio;
  const double length = 0.1, moment = length * length / 12;
  Model model;
  JointIndex parent = 0;
  for (int k = 0; k < n; k++) {
    const SE3 at(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, 0, k == 0 ? 0.0 : -length));
    const std::string name = "rod " + std::to_string(k);
    parent = k % 2 == 1 ? model.addJoint(parent, JointModelRX(), at, name) : model.addJoint(parent, JointModelRY(), at, name);
    const Eigen::Matrix3d tensor = Eigen::Vector3d(moment, moment, 1e-4).asDiagonal();
    model.appendBodyToJoint(parent, Inertia(1.0, Eigen::Vector3d(0, 0, -0.5 * length), tensor), SE3::Identity());
  }
  Data data(model);
  Eigen::VectorXd q(n), v(n), tau = Eigen::VectorXd::Constant(n, 0.1);
  for (int k = 0; k < n; k++) {
    q[k] = position(k);
    v[k] = velocity(k);
  }
  aba(model, data, q, v, tau, convention);
  const double begun = cpu_seconds();
  for (int k = 0; k < calls; k++) aba(model, data, q, v, tau, convention);
  const double spent = (cpu_seconds() - begun) / calls;
  sum = data.ddq.cwiseAbs().sum();
  return spent;
}

// The largest error of the energy over 10 s, over the energy available, and the CPU time of a simulated second.
static void energy(const char *name, int n, double length, std::vector<double> start, double step) {
  char options[100];
  std::snprintf(options, sizeof options, "timestep=\"%.17g\" integrator=\"RK4\"", step);
  std::string text = chain(n, length, false, options);
  text.insert(text.find("<worldbody>"), "<option><flag energy=\"enable\"/></option>");
  mjModel *model = compiled(text);
  mjData *data = mj_makeData(model);
  mj_forward(model, data);
  const double lowest = data->energy[0];
  for (int k = 0; k < n; k++) data->qpos[k] = start[k];
  mj_forward(model, data);
  const double first = data->energy[0] + data->energy[1];
  double worst = 0, spent = 0;
  const int steps = int(std::lround(10 / step)), block = std::max(1, int(std::lround(0.005 / step)));
  for (int done = 0; done < steps; done += block) {
    const double begun = cpu_seconds();
    for (int k = 0; k < block; k++) mj_step(model, data);
    spent += cpu_seconds() - begun;
    mj_energyPos(model, data);
    mj_energyVel(model, data);
    // Positions and velocities are those after the step; energies of the step's start are reckoned anew.
    mj_forward(model, data);
    worst = std::max(worst, std::abs(data->energy[0] + data->energy[1] - first) / (first - lowest));
  }
  std::printf("energy %s %g %.17g %.17g\n", name, step, worst, spent / 10);
  mj_deleteData(data);
  mj_deleteModel(model);
}

int main(int count, char **words) {
  if (count > 1 && std::strcmp(words[1], "energy") == 0) {
    std::vector<double> hanging(10, 0.0);
    hanging[0] = 1.5;
    for (const double step : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
      energy("double", 2, 1.0, {2.0, 0.5}, step);
      energy("ten", 10, 0.3, hanging, step);
    }
    return 0;
  }
  for (const int n : {8, 16, 64, 256}) {
    const int calls = 40000 / n;
    double sums[3];
    const double mujoco = by_mujoco(n, n > 100 ? calls / 4 : calls, sums[0]);
    const double local = by_pinocchio(n, calls, pinocchio::Convention::LOCAL, sums[1]);
    const double world = by_pinocchio(n, calls, pinocchio::Convention::WORLD, sums[2]);
    std::printf("forward %d %.17g %.17g %.17g %.17g %.17g\n", n, mujoco, sums[0], std::min(local, world), sums[1], sums[2]);
  }
  return 0;
}
