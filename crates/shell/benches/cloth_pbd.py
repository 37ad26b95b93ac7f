"""The same 40 x 40 cloth in PositionBasedDynamics and here, in one run, one thread each.

Needs `pip install pyPBD numpy`. A square of 1 m, all edges of its triangle mesh as constraints, one side
fixed, released level under 10 m/s^2; 200 steps of 0.01 s. Prints CPU milliseconds a step and the largest
strain of any edge at the end of any step. (The Python interface of PositionBasedDynamics offers no way to
set gravity, which stays 9.81 m/s^2 there: 2 % in our disfavour.) Run from the root of the workspace:

    python crates/shell/benches/cloth_pbd.py
"""

import csv
import os
import subprocess
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import pypbd as pbd

SIDE = 40
STEPS = 200


def grid():
    axis = np.linspace(0.0, 1.0, SIDE)
    points = np.array([[x, 0.0, z] for z in axis for x in axis])
    index = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    weft = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], 1)
    warp = np.stack([index[:-1].ravel(), index[1:].ravel()], 1)
    diagonal = np.stack([index[:-1, :-1].ravel(), index[1:, 1:].ravel()], 1)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]
    triangles = np.concatenate([np.stack([a, b, d], -1).reshape(-1, 3), np.stack([a, d, c], -1).reshape(-1, 3)])
    return points, np.concatenate([weft, warp, diagonal]), triangles


def position_based(sub_steps):
    points, edges, triangles = grid()
    simulation = pbd.Simulation.getCurrent()
    simulation.initDefault()
    model = simulation.getModel()
    model.addTriangleModel(points, triangles.ravel().astype(np.uint32), testMesh=False)
    particles = model.getParticles()
    for i in range(SIDE * SIDE):
        particles.setMass(i, 0.0 if i % SIDE == 0 else 1.0 / (SIDE * SIDE))
    for a, b in edges:
        model.addDistanceConstraint(int(a), int(b), 1.0)
    pbd.TimeManager.getCurrent().setTimeStepSize(0.01)
    stepper = simulation.getTimeStep()
    stepper.setValueUInt(pbd.TimeStepController.NUM_SUB_STEPS, sub_steps)
    stepper.setValueUInt(pbd.TimeStepController.MAX_ITERATIONS, 1)
    rest = np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)
    spent, largest = 0.0, 0.0
    for _ in range(STEPS):
        start = time.thread_time()
        stepper.step(model)
        spent += time.thread_time() - start
        x = np.array(particles.getVertices()).reshape(-1, 3)
        strain = np.linalg.norm(x[edges[:, 1]] - x[edges[:, 0]], axis=1) / rest - 1.0
        largest = max(largest, np.abs(strain).max())
    simulation.reset()
    return 1e3 * spent / STEPS, largest


def impulse_based():
    with tempfile.TemporaryDirectory() as directory:
        command = ["cargo", "bench", "-q", "-p", "warpline-shell", "--bench", "cloth", "--"]
        subprocess.run(command + ["--only", "large", "--out", directory], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(directory, "cloth-large.csv")) as file:
            return [row for row in csv.DictReader(file) if row["variant"] == "strips"]


def main():
    ours = {float(row["extensibility"]): row for row in impulse_based()}
    print(f"{'system':<36}{'ms a step':>12}{'largest strain':>16}{'ratio':>8}")
    for sub_steps, extensibility in [(20, 0.08), (200, 0.01), (250, 0.01)]:
        theirs_ms, theirs_strain = position_based(sub_steps)
        row = ours[extensibility]
        ours_ms = float(row["ms_per_step"])
        print(f"PositionBasedDynamics, {sub_steps:>3} sub-steps   {theirs_ms:>12.3f}{theirs_strain:>16.3%}")
        strain = float(row["largest_strain"])
        print(f"strips, extensibility {extensibility:<14}{ours_ms:>12.3f}{strain:>16.3%}{theirs_ms / ours_ms:>8.1f}")


if __name__ == "__main__":
    main()
