"""Rollback netcode: two peers, each with a simulation of its own. Inputs of the other come ten frames late; both end with the same
bits, and neither has ever waited.

    python crates/python/examples/netcode.py
"""

import sys

import warpline

FRAMES, LATE, HERTZ = 120, 10, 60


def table():
    world = warpline.World("table", gravity=[0, 0, 0])
    world.walls([-2, -2, -2], [2, 2, 2], restitution=0.9, friction=0.0)
    pucks = [world.ball(0.15, position=[x, 0, 0], mass=1, restitution=0.9, friction=0, name=name)
             for x, name in ((-1, "red"), (1, "blue"))]
    world.many("scatter", name="ball", count=20, shape={"ball": 0.1}, restitution=0.9, friction=0.0, seed=3)
    return world, pucks


def push(player, frame):
    """What a player does: every few frames a push."""
    sign = 1 if player == 0 else -1
    return [0.3 * sign, 0.1 * ((frame // 7) % 3 - 1), 0.05] if frame % 7 == player else None


def main():
    worlds = [table() for _ in range(2)]
    peers = [world.simulate(retain=1.0) for world, _ in worlds]
    late = undone = 0
    for frame in range(FRAMES + LATE):
        for me, sim in enumerate(peers):
            pucks = worlds[me][1]
            if frame < FRAMES and (impulse := push(me, frame)):
                sim.input(pucks[me], at=frame / HERTZ, order=me, impulse=impulse)
            # What the other did arrives now.
            then = frame - LATE
            if then >= 0 and (impulse := push(1 - me, then)):
                change = sim.input(pucks[1 - me], at=then / HERTZ, order=1 - me, impulse=impulse)
                late, undone = late + 1, undone + change["undone"]
            sim.advance((frame + 1) / HERTZ)
    at = FRAMES / HERTZ
    hashes = [sim.hash(at) for sim in peers]
    print(f"{late} late inputs undid {undone} segments; hashes {hashes[0]:016x} and {hashes[1]:016x}")
    return hashes[0] == hashes[1]


if __name__ == "__main__":
    if not main():
        sys.exit("the peers disagree")
