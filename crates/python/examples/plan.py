"""Planning by the cross-entropy method (CEM): which stroke of the white ball sends the red one to the mark, with three balls in between?
Every stroke that is tried is a rollout: a branch of the simulation itself. The plan has to beat two baselines: strokes of many strengths straight
through the line of centres, as a player without walls would aim, and random strokes, as many as the planner tries.

    python crates/python/examples/plan.py
"""

import sys
import time

import numpy as np

import warpline

MARK = np.array([0.85, 0.4])
RADIUS, SECONDS, STRONGEST = 0.03, 3.0, 1.2
STROKES, ELITES, ROUNDS = 96, 10, 8


def table():
    """Two metres by one, seen from above: x along, z across."""
    world = warpline.World("table", gravity=[0, 0, 0], contact=None)
    world.walls([-1, -0.5, -0.5], [1, 0.5, 0.5], restitution=0.9, friction=0)
    ball = dict(mass=0.17, restitution=0.95, friction=0, damping=0.4)
    white = world.ball(RADIUS, name="white", position=[-0.7, 0, -0.1], **ball)
    red = world.ball(RADIUS, name="red", position=[0.1, 0, 0.05], **ball)
    for k, (x, z) in enumerate([(0.45, 0.2), (0.5, 0.27), (-0.3, -0.02)]):
        world.ball(RADIUS, name=f"other {k}", position=[x, 0, z], **ball)
    return world.simulate(retain=0.0), white, red


def misses(sim, white, red, strokes):
    """How far from the mark the red ball ends, of strokes (angle, N s)."""
    angle, strength = strokes[:, 0], np.clip(strokes[:, 1], 0.01, STRONGEST)
    inputs = np.zeros((len(strokes), 1, 1, 3))
    inputs[:, 0, 0, 0], inputs[:, 0, 0, 2] = strength * np.cos(angle), strength * np.sin(angle)
    told = sim.rollouts(inputs, SECONDS, bodies=[white], kind="impulse")
    end = told.states[:, -1, sim.row(red)][:, [0, 2]]
    return np.linalg.norm(end - MARK, axis=1)


def straight(sim, white, red, count):
    """Through the line of centres towards the mark, at many strengths."""
    at = {name: sim.state(body)[[0, 2]] for name, body in (("white", white), ("red", red))}
    line = (MARK - at["red"]) / np.linalg.norm(MARK - at["red"])
    aim = at["red"] - 2 * RADIUS * line - at["white"]
    angle = np.arctan2(aim[1], aim[0])
    return misses(sim, white, red, np.column_stack([np.full(count, angle), np.linspace(0.05, STRONGEST, count)])).min()


def random(sim, white, red, count, seed):
    strokes = np.random.default_rng(seed).uniform([-np.pi, 0.05], [np.pi, STRONGEST], (count, 2))
    return misses(sim, white, red, strokes).min()


def cem(sim, white, red, seed):
    """First strokes all around, then around the best few of them, each on its own, and closer in every round."""
    rng = np.random.default_rng(seed)
    strokes = rng.uniform([-np.pi, 0.05], [np.pi, STRONGEST], (STROKES, 2))
    spread, best, kept = np.array([0.1, 0.2]), np.inf, None
    for _ in range(ROUNDS):
        missed = misses(sim, white, red, strokes)
        everything = np.column_stack([strokes, missed]) if kept is None else np.vstack([kept, np.column_stack([strokes, missed])])
        kept = everything[np.argsort(everything[:, 2])[:ELITES]]
        best = kept[0, 2]
        strokes = kept[rng.integers(0, ELITES, STROKES), :2] + rng.normal(0, spread, (STROKES, 2))
        spread = spread / 2
    return best, kept[0, :2]


if __name__ == "__main__":
    sim, white, red = table()
    tried = STROKES * ROUNDS
    begun = time.process_time()
    plans = [cem(sim, white, red, seed) for seed in range(5)]
    spent = time.process_time() - begun
    planned = np.median([best for best, _ in plans])
    aimed = straight(sim, white, red, tried)
    shot = np.median([random(sim, white, red, tried, seed) for seed in range(5)])
    print(f"distance of the red ball from the mark: CEM {planned:.4f} m, random {shot:.4f} m (medians of 5), straight {aimed:.4f} m")
    print(f"{5 * tried} futures of {SECONDS} s in {spent:.2f} s of CPU time")
    # What was planned is what happens: the stroke is played, and the red ball ends where the branch has said, to the bit.
    best, (angle, strength) = plans[0]
    sim.input(white, impulse=[min(strength, STRONGEST) * np.cos(angle), 0, min(strength, STRONGEST) * np.sin(angle)])
    end = np.linalg.norm(sim.advance(SECONDS).state(red)[[0, 2]] - MARK)
    print(f"the stroke is played: {end:.4f} m")
    if not (planned < shot and planned < aimed and abs(end - best) < 1e-9):
        sys.exit("the planner did not beat the baselines")
