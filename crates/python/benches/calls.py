"""What calls cost, in CPU time of this thread: a branch, states(), and the overhead of a call.

    python crates/python/benches/calls.py
"""

import time

import numpy as np

import warpline


def cost(call, number, rounds=7):
    """The least CPU microseconds of a call over some rounds."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.thread_time()
        for _ in range(number):
            call()
        best = min(best, (time.thread_time() - begun) / number)
    return 1e6 * best


def gas(bodies):
    return warpline.World.load("gas", bodies=bodies, set={"box.min": [-20] * 3, "box.max": [20] * 3}).simulate(retain=0.1)


sim = gas(1000).advance(0.5)
print(f"branch of {len(sim)} bodies            {cost(sim.branch, 500):8.2f} us")
large = gas(10000).advance(0.1)
out = np.empty((len(large), 13))
print(f"states() of {len(large)} bodies        {cost(large.states, 30):8.2f} us")
print(f"states(out=...) of {len(large)} bodies {cost(lambda: large.states(out=out), 30):8.2f} us")
told = sim._told
length = cost(lambda: None, 20000)
print(f"len(): an empty call of PyO3's own    {cost(lambda: len(told), 20000) - length:8.3f} us")
print(f"state(row)                            {cost(lambda: told.state(7), 20000) - length:8.3f} us")
print(f"np.empty(13), for comparison          {cost(lambda: np.empty(13), 20000) - length:8.3f} us")
