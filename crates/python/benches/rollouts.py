"""256 branches of a scene with 100 bodies for one second, beside MuJoCo's own rollout of the same scene, on the same number of
threads in one run. CPU time of the process.

    pip install mujoco; python crates/python/benches/rollouts.py [threads]
"""

import sys
import time

import mujoco
import mujoco.rollout
import numpy as np

import warpline

THREADS = int(sys.argv[1]) if len(sys.argv) > 1 else 2
PLANS, SECONDS = 256, 1.0


def lying(spacing):
    """100 balls of 0.1 m that lie on the floor."""
    return [[(k % 10 - 5) * spacing, 0.1, (k // 10 - 5) * spacing] for k in range(100)]


def ours(balls):
    world = warpline.World()
    world.floor(friction=0.5, restitution=0.0)
    bodies = [world.ball(0.1, position=p, mass=1, restitution=0.0, friction=0.5) for p in balls]
    sim = world.simulate(retain=0.0).advance(2.0)
    return sim, bodies


def theirs(balls):
    bodies = "".join(
        f'<body pos="{x} {-z} {y}"><freejoint/><geom type="sphere" size="0.1" mass="1" friction="0.5"/></body>'
        for x, y, z in balls)
    xml = (f'<mujoco><option timestep="0.005" integrator="implicitfast"/><worldbody>'
           f'<geom type="plane" size="50 50 1" friction="0.5"/>{bodies}</worldbody></mujoco>')
    return mujoco.MjModel.from_xml_string(xml)


def timed(call):
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


print(f"{PLANS} branches of 100 balls that lie still, for {SECONDS} s, {THREADS} threads; some are kicked, differently in each branch")
print(f"{'scene':44} {'warpline CPU s':>15} {'MuJoCo CPU s':>13} {'ratio':>7}")
rng = np.random.default_rng(0)
for name, kicked, spacing in [
    ("one is kicked, apart from the others", 1, 1.0),
    ("ten are kicked, apart from the others", 10, 1.0),
    ("all are kicked, apart from each other", 100, 1.0),
    ("one is kicked, close to the others", 1, 0.25),
    ("all are kicked, close to each other", 100, 0.25),
]:
    # Sideways and up: some roll, some fly.
    kicks = rng.normal(0, 2.0, (PLANS, kicked, 3))
    kicks[:, :, 1] = np.abs(kicks[:, :, 1])
    balls = lying(spacing)
    sim, bodies = ours(balls)
    _, own = timed(lambda: sim.rollouts(kicks[:, None], SECONDS, bodies=bodies[:kicked], kind="impulse", threads=THREADS))
    model = theirs(balls)
    datas = [mujoco.MjData(model) for _ in range(THREADS)]
    data = mujoco.MjData(model)
    for _ in range(int(2 / model.opt.timestep)):
        mujoco.mj_step(model, data)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    mujoco.mj_getState(model, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    starts = np.tile(start, (PLANS, 1))
    # Time, positions (7 a body), velocities (6 a body): a kick of one kilogram is a velocity. Their z is up.
    for k in range(kicked):
        first = 1 + model.nq + 6 * k
        starts[:, first: first + 3] = kicks[:, k][:, [0, 2, 1]]
    steps = int(SECONDS / model.opt.timestep)
    _, other = timed(lambda: mujoco.rollout.rollout(model, datas, starts, nstep=steps))
    print(f"{name:44} {own:15.2f} {other:13.2f} {other / own:7.2f}", flush=True)
