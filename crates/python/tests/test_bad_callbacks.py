"""Callbacks that leave behind what is no state: a clear exception out of every kind of run, and an interpreter that lives on."""

import numpy as np
import pytest

import warpline

NAN = float("nan")


def put(name, value):
    def callback(time, views):
        getattr(views[0], name)[:] = value
        return 0.1

    return callback


def shrink(time, views):
    views[0].position.resize(1, refcheck=False)


def other_type(time, views):
    # Now it has 24 numbers of one byte.
    views[0].position.dtype = np.int8


def locked(time, views):
    views[0].velocity.flags.writeable = False
    views[0].push([1, 0, 0])


WRONG = [
    (put("position", NAN), "position"),
    (put("velocity", float("inf")), "velocity"),
    (put("spin", NAN), "spin"),
    (put("slots", NAN), "slots"),
    (put("rotation", 0), "unit quaternion"),
    (lambda time, views: views[0].push([NAN, 0, 0]), "velocity"),
    (lambda time, views: views[0].push([1, 0]), "impulse: expected 3 numbers"),
    (shrink, "position"),
    (other_type, "position"),
    (locked, "velocity"),
    (lambda time, views: 0, "has returned 0"),
    (lambda time, views: 1e-30, "at least a tick"),
    (lambda time, views: NAN, "has returned NaN"),
]


@pytest.mark.parametrize("callback, words", WRONG)
def test_what_a_callback_leaves_is_looked_at(callback, words):
    world = warpline.World().slots(1)
    world.floor()
    ball = world.ball(0.1, position=[0, 2, 0], mass=1)
    world.callback(callback, [ball], first=0.1)
    for run in (
        lambda: world.run(0.5),
        lambda: world.run(0.5, "parallel", threads=2),
        lambda: world.simulate().advance(0.5),
        lambda: world.simulate().rollouts([[], []], 0.5, threads=2),
    ):
        with pytest.raises(warpline.ArgumentError, match=words):
            run()
    # Nothing is left behind for the next error.
    with pytest.raises(warpline.BodyError, match="nobody"):
        world.simulate().state("nobody")


def test_what_cannot_be_called_is_refused_at_once():
    world = warpline.World()
    ball = world.ball(0.1)
    for ask in (
        lambda: world.callback(3, [ball]),
        lambda: world.callback(None, [ball]),
        lambda: world.on_collision("function"),
        lambda: world.controller(7, "arm"),
        lambda: world.run(0.1, progress=3),
    ):
        with pytest.raises(warpline.ArgumentError, match="expected a function"):
            ask()
    with pytest.raises(warpline.ArgumentError, match="too many"):
        world.slots(10**15)
    assert world.run(0.1).states.shape == (1, 13)


def test_a_simulation_that_is_over_says_so_and_tells_no_states():
    world = warpline.World()
    ball = world.ball(0.1)

    def fail(time, views):
        raise KeyError("broken")

    world.callback(fail, [ball], first=0.5)
    sim = world.simulate().advance(0.4)
    branch = sim.branch()
    with pytest.raises(KeyError, match="broken"):
        sim.advance(1)
    for ask in (sim.states, lambda: sim.state(ball), lambda: sim.advance(2)):
        with pytest.raises(warpline.WarplineError):
            ask()
    assert branch.states().shape == (1, 13)


@pytest.mark.parametrize("fps", [0, -1, NAN, float("inf"), "many"])
def test_tables_at_no_rate(fps, tmp_path):
    world = warpline.World()
    world.ball(0.1)
    world.run(0.1, record=tmp_path / "run.wline")
    with pytest.raises(warpline.ArgumentError, match="fps"):
        warpline.open(tmp_path / "run.wline").table(fps)
