"""Model-predictive path integral control (MPPI) of a cart and its pole, against two baselines: doing nothing, and a hand-tuned
proportional-derivative controller. The pole is knocked twice; the plans are rollouts of branches of the simulation itself.

    python crates/python/examples/plan.py
"""

import sys
import time

import numpy as np

from warpline.cart_pole import FORCE, STEP, CartPole

STEPS, PLANS, HORIZON = 150, 64, 25
KNOCKS = {10: 0.06, 75: -0.08}


def costs(states, cart, pole):
    """Leaning, turning and running away, over the samples of every plan: (plans, samples, n, 13) to (plans,)."""
    q = states[:, :, pole, 3:7]
    x = 2 * (q[..., 0] * q[..., 1] - q[..., 2] * q[..., 3])
    y = 1 - 2 * (q[..., 0] ** 2 + q[..., 2] ** 2)
    lean, place, speed = np.arctan2(x, y), states[:, :, cart, 0], states[:, :, cart, 7]
    return (20 * lean**2 + place**2 + 0.1 * speed**2).mean(axis=1)


def play(name, decide):
    scene = CartPole()
    sim, total = scene.start(), 0.0
    for step in range(STEPS):
        if step in KNOCKS:
            sim.input("pole", order=1, impulse=[KNOCKS[step], 0, 0])
        push = float(np.clip(decide(sim, step), -FORCE, FORCE))
        sim.input("cart", force=[push, 0, 0], seconds=STEP)
        sim.advance((step + 1) * STEP)
        seen = scene.observe(sim)
        total += 20 * seen[2] ** 2 + seen[0] ** 2 + 0.1 * seen[1] ** 2
    print(f"{name:12} cost {total / STEPS:8.4f}, the pole leans {seen[2]:+.3f} rad at the end")
    return total / STEPS


class Mppi:
    """Tries many pushes around the last plan, and weighs them by what comes of them."""

    def __init__(self, seed=0):
        self.random, self.plan = np.random.default_rng(seed), np.zeros(HORIZON)

    def __call__(self, sim, step):
        noise = self.random.normal(0, 4.0, (PLANS, HORIZON))
        noise[0] = 0
        pushes = np.clip(self.plan + noise, -FORCE, FORCE)
        inputs = np.zeros((PLANS, HORIZON, 1, 3))
        inputs[:, :, 0, 0] = pushes
        told = sim.rollouts(inputs, HORIZON * STEP, bodies=["cart"], samples=HORIZON // 5)
        cost = costs(told.states, sim.row("cart"), sim.row("pole"))
        weight = np.exp(-(cost - cost.min()) / max(0.1 * (np.median(cost) - cost.min()), 1e-12))
        plan = weight @ pushes / weight.sum()
        self.plan = np.append(plan[1:], 0.0)
        return plan[0]


def tuned(sim, step):
    x, v, lean, turning = CartPole.observe(sim)
    return 40 * lean + 8 * turning + 1.0 * x + 2.0 * v


if __name__ == "__main__":
    nothing = play("nothing", lambda sim, step: 0.0)
    hand = play("tuned by hand", tuned)
    begun = time.process_time()
    planned = play("MPPI", Mppi())
    print(f"{STEPS * PLANS} futures of {HORIZON * STEP} s in {time.process_time() - begun:.1f} s of CPU time")
    if not (planned < nothing and planned < hand):
        sys.exit("MPPI did not beat the baselines")
