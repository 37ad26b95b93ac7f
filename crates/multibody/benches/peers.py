#!/usr/bin/env python3
"""Forward dynamics and energy beside MuJoCo and Pinocchio, in one run, by turns: CPU time.

    pip install mujoco pin                 # and a C++ compiler, Eigen's headers, valgrind for the last table
    cargo build --release -p warpline-multibody --bench aba
    python3 crates/multibody/benches/peers.py [--rounds 5]

The peers are called from C++ (peers.cpp, compiled here against the libraries in the wheels), so that no Python is counted.
All three get the same chains in the same states, and must agree on the accelerations.
"""
import argparse, glob, os, pathlib, re, statistics, subprocess, sys, tempfile

import mujoco, pinocchio

HERE = pathlib.Path(__file__).resolve().parent
SIZES = (8, 16, 64, 256)
# What is asked for, microseconds, and milliseconds of CPU a simulated second at 1e-8 of the energy available.
ASKED = {8: 1.5, 16: 3, 64: 14, 256: 55}
ENERGY = {"double": 5, "ten": 22}


def built_bench():
    root = HERE.parents[2]
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
    found = [f for f in glob.glob(str(target / "release/deps/aba-*")) if os.access(f, os.X_OK) and "." not in pathlib.Path(f).name]
    if not found:
        sys.exit("there is no bench yet: cargo build --release -p warpline-multibody --bench aba")
    return max(found, key=os.path.getmtime)


def compiled_peers(folder):
    library = next(pathlib.Path(mujoco.__file__).parent.glob("libmujoco.so*"))
    prefix = next(p for p in pathlib.Path(pinocchio.__file__).parents if p.name == "cmeel.prefix")
    program = folder / "peers"
    limits = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
    subprocess.run(
        ["g++", "-O3", "-DNDEBUG", "-std=c++17", "-w", *limits, str(HERE / "peers.cpp"), "-o", str(program),
         f"-I{library.parent}/include", f"-I{prefix}/include", "-I/usr/include/eigen3", str(library),
         f"-L{prefix}/lib", "-lpinocchio_default", f"-Wl,-rpath,{prefix}/lib", f"-Wl,-rpath,{library.parent}"],
        check=True)
    return str(program)


def lines(command, first):
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.split()[1:] for line in text.splitlines() if line.startswith(first + " ")]


def forward(ours, peers, rounds):
    """Microseconds of each, the median of all rounds."""
    spent = {n: ([], [], []) for n in SIZES}
    for _ in range(rounds):
        mine = {int(n): (float(seconds), float(total)) for n, seconds, total in lines([ours, "figures", "forward"], "forward")}
        for n, mujoco_seconds, mujoco_sum, pinocchio_seconds, *pinocchio_sums in lines([peers], "forward"):
            seconds, total = mine[int(n)]
            for other in (mujoco_sum, *pinocchio_sums):
                if abs(float(other) - total) > 1e-9 * total:
                    sys.exit(f"the accelerations of {n} hinges add up to {total} here and to {other} elsewhere")
            for place, value in zip(spent[int(n)], (seconds, float(mujoco_seconds), float(pinocchio_seconds))):
                place.append(1e6 * value)
    print("forward dynamics of a chain, us of CPU, median of the rounds")
    print(f"{'hinges':>8} {'Warpline':>9} {'MuJoCo':>9} {'Pinocchio':>9} {'asked':>6}")
    for n in SIZES:
        a, b, c = (statistics.median(each) for each in spent[n])
        print(f"{n:>8} {a:>9.2f} {b:>9.2f} {c:>9.2f} {ASKED[n]:>6}   {'holds' if a <= ASKED[n] else 'does not hold'}")


def energy(ours, peers):
    print("largest error of the energy over 10 s, over the energy available, and ms of CPU a simulated second")
    for name, asked in ENERGY.items():
        for who, command in (("Warpline", [ours, "figures", "energy"]), ("MuJoCo RK4", [peers, "energy"])):
            for chain, setting, error, cost in lines(command, "energy"):
                if chain == name:
                    holds = who == "Warpline" and float(error) <= 1e-8 and 1e3 * float(cost) <= asked
                    print(f"{name:>8} {who:>11} {float(setting):>8g}: {float(error):.1e} at {1e3 * float(cost):6.2f} ms"
                          + (f"   holds (1e-8 at {asked})" if holds else ""))


def instructions(ours):
    def count(n, calls):
        with tempfile.TemporaryDirectory() as folder:
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", ours, "chain", str(n), str(calls)]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        return int(re.search(r"Collected\s*:\s*(\d+)", text).group(1))
    found = {n: (count(n, 220) - count(n, 20)) / 200 / n for n in SIZES}
    spread = max(found.values()) / min(found.values()) - 1
    print("instructions a link: " + ", ".join(f"{n} hinges {value:.0f}" for n, value in found.items()) + f"; they differ by {100 * spread:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    ours = built_bench()
    with tempfile.TemporaryDirectory() as folder:
        peers = compiled_peers(pathlib.Path(folder))
        print(f"MuJoCo {mujoco.__version__}, Pinocchio {pinocchio.__version__}")
        forward(ours, peers, arguments.rounds)
        energy(ours, peers)
    instructions(ours)
    return 0


if __name__ == "__main__":
    sys.exit(main())
