"""The command and Python commit the same bytes; Ctrl-C stops a run; docstrings, examples and the notebook are right."""

import doctest
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import warpline
import warpline.cart_pole

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "crates/python/examples"


def command():
    """The command, where it has been built."""
    named = os.environ.get("WARPLINE_COMMAND")
    built = [pathlib.Path(named)] if named else [ROOT / "target/debug/warpline", ROOT / "target/release/warpline"]
    built = [b for b in built if b.exists()]
    return str(built[0]) if built else shutil.which("warpline")


@pytest.mark.parametrize("scene, until", [("gas", 1.0), ("stack", 1.0), ("chain", 0.5)])
def test_the_command_has_the_same_history(scene, until, tmp_path):
    program = command()
    if program is None:
        pytest.skip("the command has not been built")
    stats = tmp_path / "stats.json"
    subprocess.run([program, "run", scene, "--until", str(until), "--stats", str(stats)], check=True,
                   stdout=subprocess.DEVNULL)
    told = json.loads(stats.read_text())
    assert warpline.World.load(scene).run(until).history_sha256 == told["history_sha256"]


def test_control_c_stops_a_run():
    # A child of a shell's background job ignores the signal unless it asks for it.
    program = (
        "import signal, warpline\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "world = warpline.World.load('gas', bodies=2000, duration=100000)\n"
        "print('ready', flush=True)\n"
        "try:\n    {}\nexcept KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    calls = (
        "world.run()",
        "world.check()",
        "world.simulate(retain=0).advance(1e5)",
        "world.simulate(retain=0).rollouts([[], [], []], horizon=1e5)",
        "world.session(hertz=60, most_ahead=1 << 40).advance_to(1 << 22)",
    )
    for call in calls:
        child = subprocess.Popen([sys.executable, "-c", program.format(call)], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "ready\n"
        time.sleep(1.0)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        assert out == "stopped\n" and child.returncode == 0


@pytest.mark.parametrize("module", [warpline, warpline.cart_pole])
def test_docstrings(module):
    names = {"warpline": warpline, "np": np}
    failed, tried = doctest.testmod(module, extraglobs=names)
    assert tried > 0 and failed == 0


@pytest.mark.parametrize("example", ["netcode.py", "plan.py"])
def test_examples(example):
    subprocess.run([sys.executable, str(EXAMPLES / example)], check=True, timeout=600)


def test_gymnasium_finds_nothing_wrong():
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    env = warpline.cart_pole.CartPoleEnv()
    checker.check_env(env)
    rewards = []
    env.reset(seed=3)
    for _ in range(200):
        _, reward, fell, _, _ = env.step([0.0])
        rewards.append(reward)
        if fell:
            break
    assert fell and 10 < len(rewards) < 200
    env.close()
    gymnasium = pytest.importorskip("gymnasium")
    made = gymnasium.make("warpline/CartPole-v0")
    checker.check_env(made.unwrapped)
    # The same seed and actions have the same bytes.
    seen = [[made.reset(seed=7)[0].tobytes()] + [made.step([0.1])[0].tobytes() for _ in range(5)] for _ in range(2)]
    assert seen[0] == seen[1]
    made.close()


def test_the_page_of_the_book_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text()
    blocks = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    names = {}
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)
    assert len(blocks) >= 6 and capsys.readouterr().out.endswith("[10.]\n")
    assert abs(names["lifted"].joints("crane").positions[0] - 0.5) < 0.2
    assert (tmp_path / "drop.wline").exists()


def test_importing_needs_nothing_but_numpy():
    program = (
        "import sys, numpy\nbefore = set(sys.modules)\nimport warpline\n"
        "print(sorted({m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names) - {'numpy'}))"
    )
    if sys.version_info < (3, 10):
        pytest.skip("there is no list of the standard library's modules before 3.10")
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert told.stdout == "['warpline']\n"


def test_the_notebook_runs():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(ROOT / "crates/python/examples/ten_cells.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) == 10
    told = [cell.outputs[0].get("data", {}).get("text/plain", "") for cell in cells]
    met, foretold = (float(number) for number in told[1].strip("()").split(","))
    assert abs(met - foretold) < 1e-9
    # Some futures push the crate, and some do not.
    assert 0 < int(told[7].split(" in ")[1].split(" of ")[0]) < 64
