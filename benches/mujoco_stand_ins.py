#!/usr/bin/env python3
"""`cars` and `robots` beside MuJoCo on stand-ins of the same size, in one run, by turns: CPU time a simulated second.

    pip install mujoco
    cargo build --release
    python3 benches/mujoco_stand_ins.py target/release/warpline [--seconds 10] [--rounds 3]

The stand-ins have the bodies, shapes, masses, joints and gains of the scenes; the cars are steered by the scene's
own law, in Python, whose time is not counted; the arms only wave, while theirs in Warpline plan, grasp and throw, and all
of that is counted. MuJoCo steps by 2 ms with its default solver.
"""
import argparse, math, resource, subprocess, sys, time

import mujoco

OPTIONS = '<option timestep="0.002" gravity="0 -9.81 0" integrator="implicitfast"/>'


def quaternion(axis, degrees):
    half = math.radians(degrees) / 2
    return " ".join(str(x) for x in (math.cos(half), *(math.sin(half) * a for a in axis)))


def cars():
    out = [f'<mujoco model="cars">{OPTIONS}<compiler autolimits="true"/><size memory="200M"/><worldbody>']
    out.append('<geom type="plane" size="40 40 1" quat="0.70710678 -0.70710678 0 0" friction="0.9"/>')
    for i in range(1, 21):
        out.append(f'<geom type="box" size="0.03 0.03 5.1" pos="{6.75 + 0.5 * i} 2.33 0"/>')
    for i in range(2):
        out.append(f'<geom type="box" size="5 0.06 0.06" pos="12 2.42 {10 * i - 5}"/>')
        for j in range(2):
            out.append(f'<geom type="box" size="0.06 1.18 0.06" pos="{10 * i + 7} 1.18 {10 * j - 5}"/>')
    for i in range(1, 21):
        for j in range(1, 21):
            out.append(
                f'<body pos="{6.75 + 0.5 * i} 2.25 {0.5 * j - 5.25}"><joint type="ball" damping="0.02"/>'
                '<geom type="capsule" fromto="0 -0.03 0 0 -1.72 0" size="0.01" mass="0.3" friction="0.2"/>'
                '<geom type="sphere" pos="0 -1.75 0" size="0.09" mass="0.7" friction="0.2"/></body>')
    for i in range(1, 13):
        for j in range(1, 5):
            a, r = 0.35 * i + 0.9, 8.25 + 1.5 * j
            x, z = r * math.cos(a), r * math.sin(a)
            u, w = 0.6 * math.cos(a), 0.6 * math.sin(a)
            out.append(f'<geom type="capsule" size="0.3" fromto="{x - u} -0.26 {z - w} {x + u} -0.26 {z + w}" friction="0.9"/>')
    for i in range(1, 22):
        a = 0.2 * i + 1
        out.append(f'<geom type="cylinder" size="0.08 0.3" quat="0.70710678 0.70710678 0 0" pos="{8.6 * math.cos(a)} 0.3 {8.6 * math.sin(a)}"/>')
    for i in range(1, 5):
        a, r = math.radians(60 + 45 * i), 8.25 + 1.5 * i
        wheel = '<geom type="cylinder" size="0.2 0.06" mass="3" friction="0.9"/></body>'
        out.append(f'<body name="car{i}" pos="{r * math.cos(a)} 0.3 {r * math.sin(a)}" quat="{quaternion((0, 1, 0), -150 - 45 * i)}"><freejoint/>'
                   '<geom type="box" size="0.6 0.08 0.28" pos="0 0.02 0" mass="26"/><geom type="box" size="0.275 0.09 0.25" pos="-0.12 0.19 0" mass="14"/>')
        for side, z in (("l", -1), ("r", 1)):
            out.append(f'<body pos="0.4 -0.05 {0.34 * z}"><joint name="{i}s{side}" axis="0 1 0"/><geom type="box" size="0.05 0.05 0.02" mass="2" contype="0" conaffinity="0"/>'
                       f'<body pos="0 0 {0.1 * z}"><joint name="{i}f{side}" axis="0 0 1"/>{wheel}</body>')
            out.append(f'<body pos="-0.42 -0.05 {0.42 * z}"><joint name="{i}b{side}" axis="0 0 1"/>{wheel}')
        out.append("</body>")
    out.append("</worldbody><actuator>")
    for i in range(1, 5):
        for side in "lr":
            out.append(f'<general name="{i}s{side}" joint="{i}s{side}" gainprm="400" biastype="affine" biasprm="0 -400 -40"/>')
            for end in "fb":
                out.append(f'<velocity name="{i}{end}{side}" joint="{i}{end}{side}" kv="6"/>')
    out.append("</actuator></mujoco>")
    return "".join(out)


def steer(model, data):
    for i in range(1, 5):
        body = data.body(f"car{i}")
        x, _, z = body.xpos
        forward_x, forward_z = body.xmat[0], body.xmat[6]
        r, radius = math.hypot(x, z), 8.25 + 1.5 * i
        forward = forward_z * x / r - forward_x * z / r
        outward = forward_x * x / r + forward_z * z / r
        angle = -0.82 / radius - 1.2 * math.atan2(outward, forward) - 0.5 * (r - radius)
        angle = max(-0.5, min(0.5, angle))
        speed = 3 * min(1, data.time / 2)
        outer = 0.42 * math.tan(-angle) / 0.82
        for side, sign in (("l", 1), ("r", -1)):
            data.actuator(f"{i}s{side}").ctrl = angle
            for end in "fb":
                data.actuator(f"{i}{end}{side}").ctrl = -speed / 0.2 * (1 + sign * outer)


ARM = [  # name, place on the parent, joint, axis, damping, mass, shape
    ("turret", "0 0 0", "hinge", "0 1 0", 1, 6, 'type="cylinder" size="0.09 0.05" quat="0.70710678 0.70710678 0 0" pos="0 0.05 0"'),
    ("upper", "0 0.16 0", "hinge", "0 0 -1", 1, 4, 'type="box" size="0.04 0.225 0.04" pos="0 0.2 0"'),
    ("fore", "0 0.45 0", "hinge", "0 0 -1", 1, 2, 'type="box" size="0.035 0.1 0.035" pos="0 0.08 0"'),
    ("twist", "0 0.2 0", "hinge", "0 1 0", 0.2, 1, 'type="cylinder" size="0.03 0.09" quat="0.70710678 0.70710678 0 0" pos="0 0.09 0"'),
    ("wrist", "0 0.2 0", "hinge", "0 0 -1", 0.2, 0.6, 'type="box" size="0.025 0.03 0.025" pos="0 0.01 0"'),
    ("hand", "0 0.06 0", "hinge", "0 1 0", 0.1, 0.6, 'type="box" size="0.025 0.025 0.12" pos="0 0.06 0"'),
]
POSE = [0.0, 0.6, 1.2, 0.0, 1.0, 0.0, 0.1, 0.1]
GAINS = [800, 800, 400, 100, 100, 50, 1500, 1500]


def robots():
    out = [f'<mujoco model="robots">{OPTIONS}<compiler autolimits="true"/><size memory="200M"/><worldbody>']
    out.append('<geom type="plane" size="20 20 1" quat="0.70710678 -0.70710678 0 0" friction="0.7"/>')
    for i in range(1, 10):
        out.append(f'<geom type="box" size="0.15 0.01 4.8" pos="{-6 + 1.2 * i} -0.0099 0"/>')
    motors = []
    for i in range(1, 6):
        for j in range(1, 5):
            x, z = 2.4 * i - 7.2, 2.4 * j - 6
            for k in range(1, 9):
                a, half, tilt = math.pi / 4 * k, math.pi / 8 * k, math.pi / 7.2
                out.append(
                    f'<geom type="box" size="0.25 0.015 0.45" pos="{x + 0.92 * math.cos(a)} 0.17 {z + 0.92 * math.sin(a)}" friction="0.1" '
                    f'quat="{math.cos(half) * math.cos(tilt)} {-math.sin(half) * math.sin(tilt)} {-math.sin(half) * math.cos(tilt)} {math.cos(half) * math.sin(tilt)}"/>')
            out.append(f'<geom type="cylinder" size="0.15 0.14" pos="{x} 0.14 {z}" quat="0.70710678 0.70710678 0 0" friction="0.1"/>')
            for k in range(1, 5):
                a = math.pi / 2 * k + 0.3 * i
                out.append(f'<body pos="{x + 0.52 * math.cos(a)} 0.0605 {z + 0.52 * math.sin(a)}" quat="{quaternion((0, 1, 0), 13 * i + 29 * j + 37 * k)}">'
                           '<freejoint/><geom type="box" size="0.06 0.06 0.06" mass="0.3" friction="0.7"/></body>')
            for n, (name, place, kind, axis, damping, mass, shape) in enumerate(ARM):
                where = f"{x} 0.3 {z}" if n == 0 else place
                joint = f"{i}-{j}-{n}"
                out.append(f'<body pos="{where}"><joint name="{joint}" type="{kind}" axis="{axis}" damping="{damping}"/><geom {shape} mass="{mass}"/>')
                motors.append((joint, GAINS[n]))
            for n, sign in ((6, -1), (7, 1)):
                joint = f"{i}-{j}-{n}"
                out.append(f'<body pos="0 0.1 0"><joint name="{joint}" type="slide" axis="0 0 {sign}" damping="30"/>'
                           f'<geom type="box" size="0.025 0.045 0.007" pos="0 0.075 {0.007 * sign}" mass="0.4" friction="1"/></body>')
                motors.append((joint, GAINS[n]))
            out.append("</body>" * len(ARM))
    out.append("</worldbody><actuator>")
    for joint, gain in motors:
        out.append(f'<position name="{joint}" joint="{joint}" kp="{gain}" kv="{0.1 * gain}"/>')
    out.append("</actuator></mujoco>")
    return "".join(out)


def wave(model, data):
    for place in range(model.nu):
        arm, joint = divmod(place, 8)
        data.ctrl[place] = POSE[joint] + (0.2 * math.sin(2 * data.time + arm) if joint < 3 else 0)


def theirs(text, control, seconds):
    """CPU milliseconds a simulated second, and the counts of bodies."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    if control is wave:
        for place in range(model.nu):
            data.qpos[model.jnt_qposadr[model.actuator_trnid[place][0]]] = POSE[place % 8]
    mujoco.mj_forward(model, data)
    spent = 0.0
    while data.time < seconds - 1e-9:
        control(model, data)
        begun = time.process_time()
        mujoco.mj_step(model, data, nstep=5)
        spent += time.process_time() - begun
    return 1000 * spent / seconds, model.nbody - 1, data.ncon


def ours(program, scene, seconds):
    def run(until):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "run", scene, "--until", str(until)], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # What loading takes is no part of a simulated second.
    return 1000 * (run(seconds) - run(0.001)) / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    for scene, text, control in (("cars", cars(), steer), ("robots", robots(), wave)):
        rows = []
        for _ in range(arguments.rounds):
            mine = ours(arguments.program, scene, arguments.seconds)
            other, bodies, contacts = theirs(text, control, arguments.seconds)
            rows.append((mine, other, mine / other))
        rows.sort(key=lambda row: row[2])
        mine, other, ratio = rows[len(rows) // 2]
        spread = " ".join(f"{row[2]:.2f}" for row in rows)
        print(f"{scene}: Warpline {mine:.0f} ms, MuJoCo {mujoco.__version__} {other:.0f} ms of CPU a simulated second "
              f"({bodies} moving bodies, {contacts} contacts at the end): {ratio:.2f} of MuJoCo's (rounds {spread})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
