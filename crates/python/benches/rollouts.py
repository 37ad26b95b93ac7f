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


def places(count, spacing, height):
    side = int(np.ceil(np.sqrt(count)))
    return [[(k % side - side / 2) * spacing, height, (k // side - side / 2) * spacing] for k in range(count)]


def scene(moving, height, spacing):
    """`moving` of 100 balls of 0.1 m are above the floor and fall; the others lie on it."""
    return [(p if k >= moving else [p[0], height + 0.3 * (k % 5), p[2]]) for k, p in enumerate(places(100, spacing, 0.1))]


def ours(balls):
    world = warpline.World()
    world.floor(friction=0.5, restitution=0.0)
    bodies = [world.ball(0.1, position=p, mass=1, restitution=0.0, friction=0.5) for p in balls]
    sim = world.simulate(retain=0.0).advance(1.0 / 64)
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


print(f"{PLANS} branches of 100 balls for {SECONDS} s, {THREADS} threads; one ball is kicked differently in each")
print(f"{'scene':44} {'warpline CPU s':>15} {'MuJoCo CPU s':>13} {'ratio':>7}")
rng = np.random.default_rng(0)
for name, balls, kick in [
    ("all at rest, one is kicked", scene(0, 0.1, 0.5), 3.0),
    ("ten fall, ninety rest", scene(10, 0.5, 0.5), 3.0),
    ("all fall apart from each other", scene(100, 0.5, 0.5), 3.0),
    ("all fall, close to each other", scene(100, 0.5, 0.21), 3.0),
]:
    kicks = rng.normal(0, kick, (PLANS, 3))
    kicks[:, 1] = 0
    sim, bodies = ours(balls)
    controls = kicks.reshape(PLANS, 1, 1, 3)
    own = min(timed(lambda: sim.rollouts(controls, SECONDS, bodies=bodies[:1], kind="impulse", threads=THREADS))[1]
              for _ in range(2))
    model = theirs(balls)
    datas = [mujoco.MjData(model) for _ in range(THREADS)]
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    mujoco.mj_getState(model, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    starts = np.tile(start, (PLANS, 1))
    # time, positions (7 a body), velocities (6 a body): the kick of one kilogram is a velocity.
    starts[:, 1 + model.nq: 1 + model.nq + 3] = kicks[:, [0, 2, 1]]
    steps = int(SECONDS / model.opt.timestep)
    other = min(timed(lambda: mujoco.rollout.rollout(model, datas, starts, nstep=steps))[1] for _ in range(2))
    print(f"{name:44} {own:15.2f} {other:13.2f} {other / own:7.2f}")
