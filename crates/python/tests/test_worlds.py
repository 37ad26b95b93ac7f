"""Worlds in code and from scenes: what they are, and what they refuse."""

import math
import threading

import numpy as np
import pytest

import warpline


def drop():
    world = warpline.World("drop")
    world.floor()
    return world, world.ball(0.1, position=[0, 2, 0], mass=1)


def test_a_ball_falls_by_the_law():
    world, ball = drop()
    sim = world.simulate().advance(0.5)
    assert sim.state(ball)[1] == pytest.approx(2 - 9.81 / 2 * 0.25, abs=1e-12)
    assert sim.state(ball)[8] == pytest.approx(-9.81 * 0.5, abs=1e-12)
    with pytest.raises(warpline.SceneError):
        world.ball(-1.0)
        world.run(1.0)


def test_the_frame_that_went_in_comes_out():
    world = warpline.World(gravity=[0, 0, 0])
    half = math.sqrt(0.5)
    hammer = world.body(
        [{"box": [0.1, 1, 0.1]}, {"box": [0.5, 0.2, 0.2], "position": [0, 0.6, 0]}],
        position=np.array([1.0, 2, 3]), rotation=[0, 0, half, half], velocity=[1, 0, 0], spin=[0, 0, 2],
    )
    state = world.simulate().state(hammer)
    np.testing.assert_allclose(state, [1, 2, 3, 0, 0, half, half, 1, 0, 0, 0, 0, 2], atol=1e-12)


def test_everything_a_scene_says_can_be_said():
    world = warpline.World()
    world.material("steel", restitution=0.9, friction=0.2)
    world.force("push", "constant", force=[1, 0, 0])
    world.floor(material="steel")
    world.height_field(np.zeros((3, 3)), [4, 1, 4], position=[20, 0, 0])
    world.mesh([[30, 0, 0], [31, 0, 0], [30, 0, 1]], [[0, 2, 1]])
    bodies = [
        world.box([0.2, 0.2, 0.2], position=[0, 1, 0], material="steel", forces=["push"]),
        world.capsule(0.2, 0.1, position=[1, 1, 0]),
        world.cylinder(0.2, 0.1, position=[2, 1, 0]),
        world.hull(np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]), position=[3, 1, 0]),
    ]
    lift = world.box([1, 0.1, 1], kind="kinematic", position=[6, 1, 0],
                     script=[{"at": 0}, {"at": 1, "position": [6, 2, 0]}])
    world.joint("rope", bodies[1], bodies[2], anchors=[[0, 0, 0], [0, 0, 0]], length=1.5)
    world.many("stack", count=3, shape={"box": [0.2, 0.2, 0.2]}, position=[8, 0, 0], name="crate")
    world.cloth(name="flag", grid={"columns": 6, "rows": 6, "corner": [40, 3, 0], "u": [1, 0, 0], "v": [0, 0, 1]},
                pins=["corners"])
    run = world.run(0.5)
    assert run.state(lift)[1] == pytest.approx(1.5)
    assert run.state("crate 1").shape == (13,)
    again = warpline.World.from_text(world.to_scene(0.5)).run()
    assert again.history_sha256 == run.history_sha256


def test_one_history_from_every_executor_and_from_the_library():
    hashes = {
        warpline.World.load("gas", bodies=40, duration=1).run(algorithm=name, look_ahead=ahead).history_sha256
        for name, ahead in [("ordered", None), ("timewarp", None), ("timewarp", 0.1), ("timewarp", "event")]
    }
    assert len(hashes) == 1
    check = warpline.World.load("gas", bodies=20, duration=0.3).check()
    assert check["differing"] == [] and check["deepest_overlap_m"] < 1e-6


def test_inputs_known_beforehand_and_late_ones_have_the_same_bytes():
    def world():
        made, ball = drop()
        return made, ball

    early, ball = world()
    early.input(ball, 0.25, impulse=[1, 0, 0])
    late, other = world()
    sim = late.simulate(retain=5).advance(2.0)
    change = sim.input(other, at=0.25, impulse=[1, 0, 0])
    assert change["changed"] == [1] and change["since"][0] == pytest.approx(0.25)
    assert sim.hash() == early.simulate(retain=5).advance(2.0).hash()
    sim.withdraw(other, 0.25)
    assert sim.hash() == late.simulate(retain=5).advance(2.0).hash()


def test_branches_are_apart():
    world, ball = drop()
    sim = world.simulate(retain=2).advance(0.25)
    before = sim.hash()
    other = sim.branch()
    other.input(ball, impulse=[0, 0, 3])
    other.advance(1.0)
    assert sim.hash() == before and sim.now == 0.25 and other.now == 1.0
    assert other.advance(1.5).state(ball)[2] > 0.5


def test_rays_overlaps_and_the_past():
    world, ball = drop()
    sim = world.simulate(retain=2).advance(1.0)
    row, distance, point, normal = sim.cast_ray([0, 5, 0], [0, -1, 0], at=0.0)
    assert (row, distance) == (sim.row(ball), pytest.approx(2.9)) and normal[1] == pytest.approx(1)
    assert sim.cast_ray([5, 5, 0], [0, 1, 0]) is None
    assert sim.overlapping([0, 2, 0], ball=0.05, at=0.0) == [1]
    assert sim.overlapping([3, 3, 0], box=[1, 1, 1]) == []
    assert sim.states(at=0.0)[1, 1] == 2.0
    with pytest.raises(warpline.ArgumentError, match="out of reach"):
        sim.states(at=5.0)


def test_absent_bodies_enter_and_leave():
    world = warpline.World(gravity=[0, 0, 0])
    ball = world.ball(0.1, absent=True)
    sim = world.simulate(retain=5)
    assert sim.state(ball) is None and np.isnan(sim.states()).all()
    sim.input(ball, at=0.5, enter=[1, 2, 3])
    sim.input(ball, at=1.5, leave=True)
    sim.advance(1.0)
    assert sim.state(ball)[:3].tolist() == [1, 2, 3]
    assert sim.advance(2.0).state(ball) is None


def test_checkpoints(tmp_path):
    world, ball = drop()
    sim = world.simulate(retain=1, events=True).advance(1.0)
    sim.save(tmp_path / "c.bin")
    again = world.load_simulation(tmp_path / "c.bin")
    assert again.now == 1.0 and again.advance(2.0).hash() == sim.advance(2.0).hash()
    with pytest.raises(warpline.RecordingError):
        world.load_simulation(tmp_path / "none.bin")
    (tmp_path / "bad.bin").write_bytes(b"nonsense")
    with pytest.raises(warpline.RecordingError):
        world.load_simulation(tmp_path / "bad.bin")


def test_events():
    world, ball = drop()
    events = world.run(3.0, events=True).events
    kinds = [warpline.EVENT_KINDS[k] for k in events["kind"]]
    assert kinds[0] == "collision" and "fusion" in kinds and "rest" in kinds
    assert events["time"][0] == pytest.approx(math.sqrt(2 * 1.9 / 9.81), abs=1e-9)
    assert events["partner"][0] == 0 and (np.diff(events["tick"]) >= 0).all()
    sim = world.simulate(retain=0, events=True).advance(3.0)
    assert len(sim.events()) > 0 and len(sim.events()) == 0
    with pytest.raises(warpline.ArgumentError, match="events=True"):
        world.simulate().events()


def test_callbacks_count_in_slots_not_in_globals():
    calls = 0

    def wrong(time, views):
        nonlocal calls
        calls += 1
        return 0.1

    def right(time, views):
        views[0].slots[0] += 1
        return 0.1

    def counted(function):
        world = warpline.World.load("gas", bodies=20)
        world.slots(1)
        ball = world[world.simulate().names[-1]]
        world.callback(function, [ball], first=0.1)
        return world, ball

    world, ball = counted(wrong)
    sim = world.simulate(retain=5).advance(1.05)
    sim.input(ball, at=0.05, impulse=[0.001, 0, 0])
    assert calls > 10  # called again for what was undone
    world, ball = counted(right)
    sim = world.simulate(retain=5).advance(1.05)
    sim.input(ball, at=0.05, impulse=[0.001, 0, 0])
    assert sim.slots(ball)[0] == 10


def test_a_callback_controls_a_body_and_collisions_are_told():
    world = warpline.World(gravity=[0, 0, 0], contact=None).slots(1)
    left = world.ball(0.1, mass=2, restitution=1, friction=0)
    right = world.ball(0.1, position=[1, 0, 0], mass=2, restitution=1, friction=0)
    world.callback(lambda time, views: views[0].push([2, 0, 0]), [left], first=0.5)
    world.on_collision(lambda time, views, impulse: views[1].slots.__setitem__(0, impulse))
    sim = world.simulate(retain=5).advance(2.0)
    assert sim.state(left)[7] == pytest.approx(0, abs=1e-12)
    assert sim.state(right)[7] == pytest.approx(1)
    assert sim.slots(right)[0] == pytest.approx(2)


def test_an_exception_in_a_callback_comes_out_and_branches_live_on():
    world, ball = drop()

    def fails(time, views):
        raise ZeroDivisionError("as asked")

    world.callback(fails, [ball], first=0.5)
    with pytest.raises(ZeroDivisionError, match="as asked"):
        world.run(1.0)
    sim = world.simulate(retain=5).advance(0.4)
    branch = sim.branch()
    with pytest.raises(ZeroDivisionError):
        sim.advance(1.0)
    with pytest.raises(warpline.RunError):
        sim.advance(1.0)
    assert branch.advance(0.4375).now == 0.4375
    wrong, body = drop()
    wrong.callback(lambda time, views: "soon", [body])
    with pytest.raises(TypeError):
        wrong.run(1.0)


@pytest.mark.parametrize("keys, words", [
    ({"velocty": [1, 0, 0]}, "did you mean `velocity`"),
    ({"position": [1, 2]}, "position"),
    ({"position": [float("nan"), 0, 0]}, "finite"),
    ({"mass": -1}, "mass"),
    ({"position": "here"}, "position"),
])
def test_bad_bodies(keys, words):
    world = warpline.World()
    world.ball(0.1, **keys)
    with pytest.raises(warpline.SceneError, match=words):
        world.run(1.0)


def test_bad_arguments():
    world, ball = drop()
    sim = world.simulate(retain=1).advance(0.5)
    stranger = drop()[1]
    before = sim.hash()
    for call, error in [
        (lambda: sim.state(stranger), warpline.BodyError),
        (lambda: sim.state("nobody"), warpline.BodyError),
        (lambda: sim.state(99), warpline.BodyError),
        (lambda: sim.state(1.5), warpline.ArgumentError),
        (lambda: world.joint("ball", ball, stranger, anchor=[0, 0, 0]), warpline.BodyError),
        (lambda: sim.input(ball), warpline.ArgumentError),
        (lambda: sim.input(ball, impulse=[1, 0]), warpline.ArgumentError),
        (lambda: sim.input(ball, impulse=["a", 0, 0]), warpline.ArgumentError),
        (lambda: sim.input(ball, impulse=[float("nan"), 0, 0]), warpline.InputError),
        (lambda: sim.input(ball, impulse=[1, 0, 0], force=[1, 0, 0]), warpline.ArgumentError),
        (lambda: sim.input(ball, impuls=[1, 0, 0]), warpline.ArgumentError),
        (lambda: sim.input(ball, force=[1, 0, 0]), warpline.ArgumentError),
        (lambda: sim.input(ball, teleport=[0] * 13), warpline.ArgumentError),
        (lambda: sim.input("floor 1", impulse=[1, 0, 0]), warpline.InputError),
        (lambda: sim.input(ball, at=-1, impulse=[1, 0, 0]), warpline.ArgumentError),
        (lambda: sim.withdraw(ball, 0.1), warpline.InputError),
        (lambda: sim.advance(0.1), warpline.RunError),
        (lambda: sim.advance(float("nan")), warpline.ArgumentError),
        (lambda: sim.states(out=np.zeros((3, 13))), warpline.ArgumentError),
        (lambda: sim.cast_ray([0, 0, 0], [0, 0, 0]), warpline.ArgumentError),
        (lambda: sim.overlapping([0, 0, 0]), warpline.ArgumentError),
        (lambda: sim.rollouts(np.zeros((2, 2)), 1.0, bodies=[ball]), warpline.ArgumentError),
        (lambda: sim.rollouts(np.full((1, 1, 1, 3), np.nan), 1.0, bodies=[ball]), warpline.ArgumentError),
        (lambda: sim.rollouts([["x"]], 1.0), warpline.ArgumentError),
        (lambda: sim.rollouts([[{"body": ball, "impulse": [1, 0, 0]}]], float("inf")), warpline.ArgumentError),
        (lambda: world.run(), warpline.ArgumentError),
        (lambda: world.run(1.0, "warp"), warpline.ArgumentError),
        (lambda: world.run(1.0, record="/nowhere/at/all.wline"), warpline.SceneError),
        (lambda: warpline.World.load("gass"), warpline.SceneError),
        (lambda: warpline.World.load("gas", bodis=3), warpline.SceneError),
        (lambda: warpline.open("nowhere.wline"), warpline.RecordingError),
    ]:
        with pytest.raises(error) as raised:
            call()
        assert len(str(raised.value)) > 10 and isinstance(raised.value, warpline.WarplineError)
    assert sim.hash() == before
    cyclic = []
    cyclic.append(cyclic)
    with pytest.raises(warpline.ArgumentError, match="nested"):
        world.ball(0.1, position=cyclic)


def test_a_closed_simulation_and_two_threads():
    world = warpline.World.load("gas", bodies=200)
    with world.simulate() as sim:
        sim.advance(0.1)
    with pytest.raises(warpline.ClosedError):
        sim.states()
    sim = world.simulate(retain=0)
    seen = []

    def busy():
        for k in range(200):
            try:
                sim.advance(0.1 + 0.1 * k)
            except warpline.WarplineError as error:
                seen.append(error)

    threads = [threading.Thread(target=busy) for _ in range(2)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(isinstance(e, (warpline.BusyError, warpline.RunError)) for e in seen)
    assert sim.now == pytest.approx(0.1 + 0.1 * 199)


def test_rollouts_are_the_same_on_any_number_of_threads():
    world = warpline.World.load("pile")
    sim = world.simulate(retain=0).advance(0.375)
    names = [n for n in sim.names if not n.startswith(("wall", "ground", "floor"))][-2:]
    rng = np.random.default_rng(1)
    controls = rng.normal(0, 1, (9, 3, 2, 3))
    before = sim.hash()
    told = [sim.rollouts(controls, 0.375, bodies=names, kind="impulse", samples=2, events=True, threads=t)
            for t in (1, 2, 5)]
    for other in told[1:]:
        assert other.states.tobytes() == told[0].states.tobytes()
        assert other.events.tobytes() == told[0].events.tobytes()
        assert other.plans.tolist() == told[0].plans.tolist()
    assert told[0].states.shape == (9, 2, len(sim), 13)
    assert set(told[0].plans) == set(range(9)) and sim.hash() == before
    # One of them, by hand.
    branch = sim.branch()
    for step in range(3):
        for k, name in enumerate(names):
            branch.input(name, at=0.375 + 0.125 * step, impulse=controls[4, step, k])
    assert branch.advance(0.75).states().tobytes() == told[0].states[4, -1].tobytes()
