"""Simulations that are talked to: bodies that were not declared, contact events, sessions, threads."""

import math
import threading
import time

import numpy as np
import pytest

import warpline


def floor_only():
    world = warpline.World()
    world.floor(restitution=0.0)
    return world


def test_bodies_are_added_and_removed_in_the_past():
    late = floor_only().simulate(retain=5).advance(1.0)
    ball = late.add({"ball": 0.1}, at=0.5, position=[0, 2, 0], mass=1)
    assert late.state(ball)[1] == pytest.approx(2 - 9.81 / 2 * 0.5**2, abs=1e-12)
    assert late.names[-1] == ball.name and len(late) == 2 and late.states().shape == (2, 13)
    assert np.isnan(late.states(at=0.1)[1]).all() and late.row(ball) == 1
    early = floor_only().simulate(retain=5)
    early.add({"ball": 0.1}, at=0.5, position=[0, 2, 0], mass=1)
    assert early.advance(1.0).hash() == late.hash()
    # It is a body like others.
    late.input(ball, order=1, impulse=[1, 0, 0])
    assert late.cast_ray([0, 9, 0], [0, -1, 0], at=0.625)[0] == 1
    assert late.rollouts(np.ones((2, 1, 1, 3)), 0.5, bodies=[ball]).states.shape == (2, 1, 2, 13)
    change = late.remove(ball, at=0.75)
    assert change["changed"] == [1] and late.state(ball) is None and np.isnan(late.states()[1]).all()
    late.withdraw(ball, 0.75)
    assert late.state(ball) is not None


def test_places_make_orders_of_arrival_alike():
    hashes = []
    for order in ([0, 1], [1, 0]):
        sim = floor_only().simulate(retain=5).advance(1.0)
        for place in order:
            sim.add({"ball": 0.1}, at=0.5, place=place, position=[place, 2, 0], mass=1)
        hashes.append(sim.hash())
    assert hashes[0] == hashes[1]


def test_bodies_that_cannot_be_added():
    sim = floor_only().simulate(retain=1).advance(2.0)
    other = floor_only().simulate(retain=1)
    stranger = other.add({"ball": 0.1}, position=[0, 1, 0])
    before = sim.hash()
    for call, error in [
        (lambda: sim.add({"ball": -1}), warpline.SceneError),
        (lambda: sim.add({"bal": 1}), warpline.SceneError),
        (lambda: sim.add({"ball": 0.1}, position=[0, math.nan, 0]), warpline.SceneError),
        (lambda: sim.add({"ball": 0.1}, position=[0, 3, 0], colour="red"), warpline.SceneError),
        (lambda: sim.add({"ball": 0.1}, at=0.1, position=[0, 3, 0]), warpline.InputError),
        (lambda: sim.add({"ball": 0.1}, at=-1.0, position=[0, 3, 0]), warpline.ArgumentError),
        (lambda: sim.state(stranger), warpline.BodyError),
        (lambda: sim.remove("nobody"), warpline.BodyError),
        (lambda: sim.remove("floor 1"), warpline.InputError),
    ]:
        with pytest.raises(error) as raised:
            call()
        assert isinstance(raised.value, warpline.WarplineError) and len(str(raised.value)) > 10
    assert sim.hash() == before and len(sim) == 1


def test_contacts_of_runs_recordings_and_simulations_are_the_same(tmp_path):
    def world():
        made = warpline.World()
        made.floor(restitution=0.5)
        made.ball(0.1, name="ball", position=[0, 1, 0], mass=2, restitution=0.5)
        made.box([1, 0.2, 1], name="gate", position=[0, 0.6, 0], kind="fixed", sensor=True)
        return made

    told = world().run(3.0, contacts=True).contacts
    kinds = [warpline.CONTACT_KINDS[k] for k in told["kind"]]
    assert kinds[:3] == ["enter", "exit", "hit"] and "begin" in kinds
    assert told["time"][0] == pytest.approx(math.sqrt(2 * 0.2 / 9.81), abs=1e-6)
    hit = told[kinds.index("hit")]
    speed = math.sqrt(2 * 9.81 * 0.9)
    assert hit["time"] == pytest.approx(speed / 9.81, abs=1e-9) and hit["impulse"] == pytest.approx(3 * speed, rel=1e-9)
    world().run(3.0, record=tmp_path / "c.wline")
    assert warpline.open(tmp_path / "c.wline").contacts.tobytes() == told.tobytes()
    for algorithm, threads in [("ordered", None), ("parallel", 2)]:
        other = world().run(3.0, algorithm, threads=threads, contacts=True).contacts
        assert other.tobytes() == told.tobytes()
    sim = world().simulate(retain=0.5, contacts=True)
    final = []
    for k in range(1, 31):
        final.append(sim.advance(0.1 * k).contacts().committed)
    final = np.concatenate(final)
    assert final.tobytes() == told[: len(final)].tobytes() and len(final) > 3
    with pytest.raises(warpline.ArgumentError, match="contacts=True"):
        world().run(0.1).contacts
    with pytest.raises(warpline.ArgumentError, match="from the start"):
        world().simulate(retain=0).advance(1.0).contacts()


def test_parallel_runs_have_the_same_history():
    world = warpline.World.load("gas", bodies=200, duration=0.5)
    plain = world.run()
    assert world.run(algorithm="parallel", threads=2).history_sha256 == plain.history_sha256
    with pytest.raises(warpline.ArgumentError, match="parallel"):
        world.run(threads=2)
    with pytest.raises(warpline.ArgumentError, match="at least 1"):
        world.run(algorithm="parallel", threads=0)


def test_sessions_of_peers_agree():
    def peer():
        world = warpline.World(gravity=[0, 0, 0])
        return world.ball(0.2, mass=1, name="puck"), world.session(hertz=60, most_ahead=20)

    (_, here), (_, there) = peer(), peer()
    for frame in range(1, 11):
        here.advance_to(frame)
    here.input(3, 1, "puck", impulse=[1, 0, 0])
    there.input(3, 1, "puck", impulse=[1, 0, 0])
    there.advance_to(10)
    here.input(5, 0, "puck", impulse=[0, 9, 0])
    here.withdraw(5, 0, "puck")
    assert here.hash(10) == there.hash(10) and here.states(10).tobytes() == there.states(10).tobytes()
    assert here.state("puck", 10)[0] == pytest.approx(7 / 60, abs=1e-10)
    # A body that nobody has declared, late here and in time there.
    names = [here.add(6, 0, {"ball": 0.1}, position=[5, 0, 0], velocity=[1, 0, 0]),
             there.add(6, 0, {"ball": 0.1}, position=[5, 0, 0], velocity=[1, 0, 0])]
    assert names[0] == names[1] and here.hash(10) == there.hash(10)
    assert here.state(names[0], 9)[0] == pytest.approx(5 + 3 / 60, abs=1e-10)
    assert here.states(10).shape == (2, 13) and here.state(names[0], 5) is None
    here.confirm(8)
    assert (here.frame, here.confirmed) == (10, 8)
    for call, error in [
        (lambda: here.input(2, 0, "puck", impulse=[1, 0, 0]), warpline.InputError),
        (lambda: here.input(9, 0, "nobody", impulse=[1, 0, 0]), warpline.BodyError),
        (lambda: here.input(9, 0, peer()[0], impulse=[1, 0, 0]), warpline.BodyError),
        (lambda: here.input(9, 0, "puck", impulse=[math.nan, 0, 0]), warpline.InputError),
        (lambda: here.advance_to(100), warpline.RunError),
        (lambda: here.hash(15), warpline.ArgumentError),
        (lambda: warpline.World().session(hertz=0), warpline.ArgumentError),
    ]:
        with pytest.raises(error):
            call()


def test_states_of_all_are_those_of_each_in_every_way_of_moving():
    world = warpline.World()
    world.floor()
    world.ball(0.1, position=[0, 5, 0], spin=[1, 2, 3])
    world.ball(0.1, position=[1, 5, 0])
    world.box([0.1, 0.2, 0.3], position=[2, 5, 0], spin=[1, 2, 3])
    world.box([0.1, 0.2, 0.3], position=[3, 0.1, 0])
    world.ball(0.1, position=[4, 5, 0], damping=0.5)
    world.body([{"ball": 0.1}, {"ball": 0.1, "position": [0.3, 0, 0]}], position=[5, 5, 0], velocity=[1, 0, 0])
    world.box([1, 0.1, 1], kind="kinematic", position=[7, 1, 0], script=[{"at": 0}, {"at": 1, "position": [7, 2, 0]}])
    world.ball(0.1, absent=True)
    world.multibody(links=[dict(joint="hinge", axis=[0, 0, 1], start=60, position=[20, 5, 0],
                                shape={"ball": 0.1, "position": [0, -1, 0]})])
    sim = world.simulate(retain=5).advance(0.5)
    for at in (0.0, 0.25, 0.4, 0.5):
        whole = sim.states(at=at)
        for row in range(len(sim)):
            one = sim.state(row, at=at)
            one = np.full(13, np.nan) if one is None else one
            assert one.tobytes() == whole[row].tobytes(), (at, row)
    assert sim.branch().states().tobytes() == sim.states().tobytes()


@pytest.mark.parametrize("out", [
    np.zeros((2, 13)), np.zeros((3, 12)), np.zeros(39), np.zeros((3, 13), dtype=np.float32), np.zeros((13, 3)).T, "out", None,
])
def test_arrays_of_a_wrong_shape_or_type(out):
    world = warpline.World(gravity=[0, 0, 0])
    for k in range(3):
        world.ball(0.1, position=[k, 0, 0])
    sim = world.simulate()
    if out is None:
        right = np.zeros((3, 13))
        assert sim.states(out=right) is right and right[2, 0] == 2
        right.flags.writeable = False
        out = right
    with pytest.raises(warpline.ArgumentError) as raised:
        sim.states(out=out)
    assert len(str(raised.value)) > 10
    assert sim.states()[1, 0] == 1


@pytest.mark.parametrize("wrong", [
    np.zeros((2, 1, 1, 2)), np.zeros((2, 1, 2, 3)), np.zeros((2, 0, 1, 3)), np.full((2, 1, 1, 3), np.inf),
    [["a"]], np.array(["x", "y"]), np.zeros((2, 1, 1, 3), dtype=complex), None, object(),
])
def test_rollouts_of_wrong_arrays(wrong):
    world = warpline.World(gravity=[0, 0, 0])
    ball = world.ball(0.1, mass=1)
    sim = world.simulate()
    with pytest.raises(warpline.ArgumentError):
        sim.rollouts(wrong, 1.0, bodies=[ball])
    # What can be made into the right array is taken: other strides, whole numbers, single precision.
    for right in (np.ones((2, 1, 1, 3), dtype=int), np.ones((2, 1, 1, 3), dtype=np.float32), np.ones((4, 1, 1, 6))[::2, :, :, ::2]):
        assert sim.rollouts(right, 1.0, bodies=[ball], kind="impulse").states.shape == (2, 1, 1, 13)


def test_the_lock_is_released_while_it_simulates_and_a_second_thread_is_refused():
    # A quarter of a second of work.
    sim = warpline.World.load("gas", bodies=4000, duration=100).simulate(retain=0)
    began = threading.Event()

    def work():
        began.set()
        sim.advance(8.0)

    worker = threading.Thread(target=work)
    worker.start()
    began.wait()
    refused = 0
    while worker.is_alive():
        try:
            sim.states()
        except warpline.BusyError:
            refused += 1
        time.sleep(0.001)
    worker.join()
    # With the lock held, this thread would have slept all the while.
    assert refused > 5 and sim.now == 8.0
