"""Warpline: a physics simulator in which every body keeps its own clock.

>>> import warpline
>>> world = warpline.World()
>>> floor = world.floor()
>>> ball = world.ball(0.1, position=[0, 2, 0], mass=1)
>>> run = world.run(3.0)
>>> run.state(ball)[:3].round(3).tolist()
[0.0, 0.1, 0.0]
"""

import json as _json
from typing import NamedTuple as _NamedTuple

import numpy as _np

from . import _warpline
from ._warpline import Body, Control, View, Viewer, __version__
from .errors import (
    ArgumentError,
    BodyError,
    BusyError,
    ClosedError,
    InputError,
    RecordingError,
    RunError,
    SceneError,
    WarplineError,
)

__all__ = [
    "ArgumentError", "Body", "BodyError", "BusyError", "CONTACT", "CONTACT_KINDS", "ClosedError", "ContactNews",
    "Control", "EVENT", "EVENT_KINDS", "Image", "InputError", "Joints", "Multibody", "Recording", "RecordingError",
    "Rollouts", "Run", "RunError", "SceneError", "Session", "Simulation", "View", "Viewer", "WarplineError", "World",
    "open", "scenes",
]

#: A row of an array of events. `partner` and `group` are -1 where there is none.
EVENT = _np.dtype([
    ("time", "<f8"), ("tick", "<i8"), ("micro", "<u4"), ("kind", "<u4"), ("body", "<i4"), ("partner", "<i4"),
    ("group", "<i4"), ("impulse", "<f8"), ("position", "<f8", 3), ("velocity", "<f8", 3),
])

#: What the numbers in an event's `kind` mean.
EVENT_KINDS = {
    0: "enter", 1: "collision", 2: "fusion", 3: "fission", 4: "callback", 5: "input", 6: "piece", 7: "rest",
    9: "step", 10: "leave", 11: "touch",
}


#: A row of an array of contact events: who (`a` the lower row; of "enter" and "exit" the sensor), and the impulse in N s.
CONTACT = _np.dtype([
    ("time", "<f8"), ("tick", "<i8"), ("kind", "<u4"), ("a", "<i4"), ("b", "<i4"), ("impulse", "<f8"),
])

#: What the numbers in a contact's `kind` mean: a collision, touching that begins and ends, a sensor that is entered and left.
CONTACT_KINDS = {1: "hit", 2: "begin", 3: "end", 4: "enter", 5: "exit"}


def _events(raw):
    return _np.frombuffer(raw, dtype=EVENT)


def _contacts(raw):
    return _np.frombuffer(raw, dtype=CONTACT)


class ContactNews(_NamedTuple):
    """What is new about contacts: three arrays of `CONTACT`."""

    committed: object
    """Final: told once, and true for ever."""
    foreseen: object
    """As far as is known now; a late input may still change it."""
    retracted: object
    """Were foreseen, and a late input has made them untrue."""


class Joints(_NamedTuple):
    """The joints of a multibody at a moment."""

    positions: object
    velocities: object
    controls: object
    slots: object


class Multibody(_NamedTuple):
    """What a multibody consists of."""

    joints: dict
    """For each joint where its numbers begin in `Joints.positions` and in `Joints.velocities`."""
    links: list
    """The names of the bodies that are its links."""
    motors: int
    """How many motors it has, which is the length of `Joints.controls`."""


def scenes():
    """The built-in scenes and what they show.

    >>> "gas" in warpline.scenes()
    True
    """
    return dict(_warpline.scenes())


class World:
    """A world that is being made.

    What is said here becomes the scene file that says the same (`to_scene()`); keyword arguments are the keys of such a
    file. `gravity` is said once, for everything; `contact` is the solver of bodies in contact, or None if every
    collision bounces.

    >>> world = warpline.World(gravity=[0, 0, 0], contact=None)
    >>> a = world.ball(0.5, position=[-1, 0, 0], velocity=[1, 0, 0], restitution=1, friction=0)
    >>> b = world.ball(0.5, position=[1, 0, 0], restitution=1, friction=0)
    >>> run = world.run(2.0, events=True)
    >>> run.events[["time", "body", "partner"]].tolist()
    [(1.0, 0, 1), (1.0, 1, 0)]
    """

    def __init__(self, name="world", *, gravity=None, contact="soft-step", _made=None):
        self._made = _made if _made is not None else _warpline.World(name, gravity, contact)

    @classmethod
    def load(cls, scene, set=None, **parameters):
        """A built-in scene, a TOML file, or a robot: a URDF or MJCF file. Keyword arguments set its parameters; `set` any other value by its path.

        >>> gas = warpline.World.load("gas", bodies=20, duration=0.5)
        >>> len(gas.simulate())
        26
        """
        return cls(_made=_warpline.World.load(str(scene), set, **parameters))

    @classmethod
    def from_text(cls, text, name="scene", set=None, **parameters):
        """A scene's text, as a file would hold it."""
        return cls(_made=_warpline.World.from_text(text, name, set, **parameters))

    def set(self, key, value):
        """Sets a value of the top level, such as `gravity`, or any other by its path. Returns the world."""
        self._made.set(key, value)
        return self

    def table(self, path, **keys):
        """Sets a table such as `contact` or `materials.steel`. Returns the world."""
        self._made.table(path, **keys)
        return self

    def material(self, name, **keys):
        """A material that bodies name: `restitution`, `friction`, `rolling_friction`, `spinning_friction`."""
        return self.table("materials." + name, **keys)

    def force(self, name, kind, **keys):
        """A force that bodies name: `constant`, `drag`, `attractor`, `wind` or `spring`."""
        return self.table("forces." + name, kind=kind, **keys)

    def walls(self, min, max, **keys):
        """Walls around everything."""
        return self.table("box", min=min, max=max, **keys)

    def body(self, shape, **keys):
        """A body of any shape, `{"ball": 0.1}`, or a list of shapes. Keys are those of a scene's `[[body]]`."""
        if isinstance(shape, (list, tuple)):
            return self._made.add_body("body", shapes=list(shape), **keys)
        return self._made.add_body("body", shape=shape, **keys)

    def _shaped(self, default, shape, keys):
        return self._made.add_body(default, shape=shape, **keys)

    def floor(self, height=0.0, **keys):
        """Ground at a height."""
        keys = {"kind": "fixed", "position": [0.0, float(height), 0.0], **keys}
        return self._shaped("floor", {"half_space": [0, 1, 0]}, keys)

    def ball(self, radius, **keys):
        """A ball."""
        return self._shaped("ball", {"ball": radius}, keys)

    def box(self, edges, **keys):
        """A box, by its three edges."""
        return self._shaped("box", {"box": edges}, keys)

    def capsule(self, length, radius, **keys):
        """A capsule along y; `length` is that of its straight part."""
        return self._shaped("capsule", {"capsule": {"length": length, "radius": radius}}, keys)

    def cylinder(self, height, radius, **keys):
        """A cylinder along y."""
        return self._shaped("cylinder", {"cylinder": {"height": height, "radius": radius}}, keys)

    def hull(self, points, **keys):
        """The convex hull of an array of points."""
        return self._shaped("hull", {"hull": points}, keys)

    def mesh(self, vertices, triangles, **keys):
        """A fixed triangle mesh."""
        keys = {"kind": "fixed", **keys}
        return self._shaped("mesh", {"mesh": {"vertices": vertices, "triangles": triangles}}, keys)

    def height_field(self, heights, size, **keys):
        """A fixed height field: rows of heights, and [extent along x, factor on heights, extent along z]."""
        keys = {"kind": "fixed", **keys}
        return self._shaped("terrain", {"height_field": {"heights": heights, "size": size}}, keys)

    def joint(self, kind, a, b, **keys):
        """Holds two bodies together: `ball`, `hinge`, `slider`, `fixed`, `distance` or `rope`. Returns the world.

        >>> world = warpline.World()
        >>> hook = world.box([0.1, 0.1, 0.1], kind="fixed", position=[0, 3, 0])
        >>> bob = world.ball(0.1, position=[0.5, 3, 0])
        >>> _ = world.joint("hinge", hook, bob, anchor=[0, 3, 0], axis=[0, 0, 1])
        >>> bool(abs(world.run(0.3).state(bob)[0]) < 0.5)
        True
        """
        for body in (a, b):
            if isinstance(body, Body):
                self._made.owns(body)
        self._made.add_entry("joint", kind=kind, bodies=[a, b], **keys)
        return self

    def multibody(self, links, **keys):
        """A tree of links whose joints are its only freedoms, with the keys of a scene's `[[multibody]]`. Returns the world.

        >>> world = warpline.World(contact=None)
        >>> _ = world.multibody(name="pendulum", links=[
        ...     dict(name="rod", joint="hinge", axis=[0, 0, 1], start=90, shape={"ball": 0.1, "position": [0, -1, 0]})])
        >>> sim = world.simulate().advance(0.25)
        >>> sim.multibodies["pendulum"].joints, sim.multibodies["pendulum"].links
        ({'rod': (0, 0)}, ['pendulum.rod'])
        >>> bool(sim.joints("pendulum").positions[0] < np.pi / 2)
        True
        """
        self._made.add_entry("multibody", links=links, **keys)
        return self

    def robot(self, file, **keys):
        """A robot that a URDF or MJCF file describes, with the keys of a scene's `[[robot]]`. Returns the world.

        Such files have z up: `rotation=dict(axis=[1, 0, 0], degrees=-90)` makes it stand where y is up.
        """
        self._made.add_entry("robot", file=str(file), **keys)
        return self

    def controller(self, function, multibody, first=0.0, slots=0):
        """Calls `function(time, control)` at `first` seconds, and then after as many seconds as it returns (None: never).

        It sees `control.positions` and `control.velocities` of the joints and sets `control.controls` of the motors, in
        place. What it has to remember belongs into `control.slots`, which begin as zeros and are rolled back with the
        multibody: it is called again when what it saw is undone. Returns the world.

        >>> world = warpline.World(gravity=[0, 0, 0], contact=None)
        >>> _ = world.multibody(name="arm", links=[dict(
        ...     name="arm", joint="hinge", axis=[0, 0, 1], shape={"box": [1, 0.1, 0.1]}, mass=1, motor={"force": 0})])
        >>> def to_one_radian(time, control):
        ...     control.controls[0] = 5 * (1 - control.positions[0]) - 2 * control.velocities[0]
        ...     return 0.01
        >>> _ = world.controller(to_one_radian, "arm")
        >>> round(float(world.simulate().advance(5).joints("arm").positions[0]), 3)
        1.0
        """
        self._made.add_controller(multibody, first, slots, function)
        return self

    @property
    def warnings(self):
        """What readers of the scene and of robots' files had to say."""
        return self._made.warnings

    def cloth(self, **keys):
        """A piece of cloth, with the keys of a scene's `[[cloth]]`. Returns the world."""
        self._made.add_entry("cloth", **keys)
        return self

    def shell(self, **keys):
        """A thin shell, with the keys of a scene's `[[shell]]`. Returns the world."""
        self._made.add_entry("shell", **keys)
        return self

    def many(self, arrangement, **keys):
        """Many bodies: a `lattice`, `stack`, `ring` or `scatter`, with the keys of a scene file. Returns the world."""
        self._made.add_entry(arrangement, **keys)
        return self

    def __getitem__(self, name):
        """A body by its name."""
        return self._made.body_named(name)

    def slots(self, count):
        """So many numbers are kept for every body, and rolled back with it. Returns the world."""
        self._made.slots(count)
        return self

    def callback(self, function, bodies, first=0.0, name="callback"):
        """Calls `function(time, views)` at `first` seconds, and then after as many seconds as it returns (None: never).

        It must be a pure function of what it is given, because it is called again when what it saw is undone: keep
        what it has to remember in slots, never in a global variable.

        >>> world = warpline.World(gravity=[0, 0, 0]).slots(1)
        >>> ball = world.ball(0.1)
        >>> def count(time, views):
        ...     views[0].slots[0] += 1
        ...     return 0.25
        >>> _ = world.callback(count, [ball], first=0.25)
        >>> sim = world.simulate()
        >>> sim.advance(1.1).slots(ball).tolist()
        [4.0]
        """
        self._made.add_callback(name, bodies, first, function)
        return self

    def on_collision(self, function):
        """Calls `function(time, views, impulse)` at every collision; it may change slots alone. Returns the world."""
        self._made.add_on_collision(function)
        return self

    def input(self, body, at, order=0, **action):
        """An input that is known beforehand; see `Simulation.input`. Returns the world."""
        self._made.input(self[body] if isinstance(body, str) else body, at, order, **action)
        return self

    def to_scene(self, until=1.0):
        """The scene file that says the same (callbacks and inputs apart)."""
        return self._made.to_scene(until)

    def run(self, seconds=None, algorithm="timewarp", *, look_ahead=None, threads=None, record=None, events=False,
            contacts=False, progress=None):
        """Runs it, for so many seconds or to the scene's own end. Ctrl-C stops it.

        `algorithm` is as the command spells it (`"parallel"` takes `threads`); `record` a file that the history is
        streamed to; `events` keeps what happened, `contacts` who hit, touched and left whom; `progress` is called now
        and then with the seconds simulated so far.
        """
        return Run(self._made.run(seconds, algorithm, look_ahead, threads, record, events, contacts, progress))

    def check(self, seconds=None):
        """Whether every executor commits the same history, and how deep bodies overlap in it.

        >>> warpline.World.load("gas", bodies=20, duration=0.2).check()["differing"]
        []
        """
        return self._made.check(seconds)

    def simulate(self, retain=1.0, *, events=False, contacts=False):
        """A simulation to talk to, which keeps the last `retain` seconds ready for late inputs and questions.

        `events` keeps what becomes final until `Simulation.events` takes it; `contacts` follows contacts for
        `Simulation.contacts`.
        """
        return Simulation(self._made.simulate(retain, events, contacts))

    def session(self, hertz=60, most_ahead=60):
        """A simulation in frames, for games that predict and roll back."""
        return Session(self._made.session(hertz, most_ahead))

    def load_simulation(self, path, *, events=False):
        """A simulation that goes on from a checkpoint which this world has saved."""
        return Simulation(self._made.resume(path, events))

    def view(self, seconds=None, port=0):
        """Runs it and shows the recording: in the cell of a notebook, else in a browser."""
        return _shown(self._made.view(seconds, port))


class _Told:
    """Statistics, as the command's JSON has them."""

    @property
    def stats(self):
        """The run's counters, clocks and energies, as a dict."""
        text = self._told.stats_json
        return None if text is None else _json.loads(text)


class Run(_Told):
    """A run that has ended."""

    def __init__(self, told):
        self._told = told

    @property
    def history_sha256(self):
        """The hash of the committed history: the same under every event-driven executor, and from the command."""
        return self.stats["history_sha256"]

    @property
    def names(self):
        """The bodies' names, in the order of the rows of `states`."""
        return self._told.names

    @property
    def states(self):
        """The last states, (n, 13): position, rotation (x, y, z, w), velocity, spin."""
        return self._told.states

    def state(self, body):
        """The last state of a body, by itself or its name."""
        return self._told.state(body)

    @property
    def events(self):
        """Everything that happened, an array of `EVENT`; the run must have been asked for it."""
        raw = self._told.events_bytes
        if raw is None:
            raise ArgumentError("events were not asked for: run(..., events=True)")
        return _events(raw)

    @property
    def contacts(self):
        """Who hit, touched and left whom, an array of `CONTACT`; the run must have been asked for it.

        >>> world = warpline.World(gravity=[0, 0, 0], contact=None)
        >>> gate = world.box([1, 1, 1], kind="fixed", sensor=True)
        >>> ball = world.ball(0.1, position=[-2, 0, 0], velocity=[1, 0, 0])
        >>> contacts = world.run(4.0, contacts=True).contacts
        >>> [(warpline.CONTACT_KINDS[c["kind"]], round(float(c["time"]), 6)) for c in contacts]
        [('enter', 1.4), ('exit', 2.6)]
        """
        raw = self._told.contacts_bytes
        if raw is None:
            raise ArgumentError("contacts were not asked for: run(..., contacts=True)")
        return _contacts(raw)


class Rollouts:
    """What came of many branches: `states` (plans, samples, n, 13), and `events` with the `plan` of each."""

    def __init__(self, states, events, plans):
        self.states, self.events, self.plans = states, events, plans


class Simulation(_Told):
    """A running simulation.

    It belongs to one thread at a time (`BusyError` otherwise); give each thread a branch of its own.

    >>> world = warpline.World()
    >>> floor = world.floor()
    >>> ball = world.ball(0.1, position=[0, 2, 0], mass=1)
    >>> sim = world.simulate(retain=5.0).advance(1.0)
    >>> other = sim.branch()
    >>> change = other.input(ball, at=0.5, impulse=[1, 0, 0])   # half a second ago
    >>> change["changed"]
    [1]
    >>> float(sim.state(ball)[0]), float(other.state(ball)[0]) > 0.3
    (0.0, True)
    """

    def __init__(self, told):
        self._told = told
        # The calls that are made most often go straight to the extension.
        self.state = told.state
        self.states = told.states

    @property
    def now(self):
        """How far it has been simulated, s."""
        return self._told.now

    @property
    def final_until(self):
        """Where final history ends, s: inputs before are refused."""
        return self._told.final_until

    @property
    def names(self):
        """The bodies' names, in the order of the rows of `states()`."""
        return self._told.names

    @property
    def bytes(self):
        """Bytes held for history, pending events and the broad phase."""
        return self._told.bytes

    def __len__(self):
        return len(self._told)

    def row(self, body):
        """The row of a body in `states()`."""
        return self._told.row(body)

    def advance(self, to):
        """Simulates up to a time, s. Ctrl-C stops it where it is. Returns the simulation."""
        self._told.advance(to)
        return self

    def settle(self, to):
        """Nothing before this time will change any more. Returns the simulation."""
        self._told.settle(to)
        return self

    def slots(self, body):
        """What is kept for a body."""
        return self._told.slots(body)

    def input(self, body, at=None, order=0, **action):
        """Takes an input, now or at a time that may lie in the past, and says what it changed.

        Exactly one of `impulse` (N s; with a `point` of the world), `force` (N; for `seconds`), `teleport` and `enter` (a
        position, or 13 numbers), `motor` (velocity, or velocity and spin, of a kinematic body), `signal` (a motor's number
        in the multibody that the body is a link of, and what it is told) and `leave=True`. `order` tells inputs to one
        body at one time apart. A refused input is an `InputError` and changes nothing.
        """
        return self._told.input(body, at, order, **action)

    def inputs(self, inputs):
        """Takes several inputs at once, dicts with `body` and the keyword arguments of `input`: all or none."""
        return self._told.inputs(inputs)

    def withdraw(self, body, at, order=0):
        """Takes an input back, as if it had never come."""
        return self._told.withdraw(body, at, order)

    def add(self, shape, at=None, place=None, **keys):
        """Adds a body that the world does not have, now or at a time that may lie in the past, and returns it.

        `shape` and keys are as for `World.body`. It gets the next row of `states()`; programs that learn of bodies in
        different orders give them a `place` of their own, a number from 0, to have the same history.

        >>> world = warpline.World()
        >>> floor = world.floor()
        >>> sim = world.simulate(retain=5.0).advance(1.0)
        >>> ball = sim.add({"ball": 0.1}, at=0.5, position=[0, 2, 0], mass=1)   # it has fallen for half a second
        >>> round(float(sim.state(ball)[1]), 3), len(sim)
        (0.774, 2)
        >>> _ = sim.remove(ball, at=0.75)
        >>> sim.state(ball) is None
        True
        """
        key = "shapes" if isinstance(shape, (list, tuple)) else "shape"
        body, _ = self._told.add_body(at, place, **{key: shape}, **keys)
        return body

    def remove(self, body, at=None):
        """Removes a body, now or at a time that may lie in the past; says what that changed."""
        return self.input(body, at, leave=True)

    def contacts(self):
        """What is new about contacts since this was last asked; see `ContactNews`. Ask `simulate(contacts=True)` for it.

        >>> world = warpline.World(gravity=[0, 0, 0], contact=None)
        >>> a = world.ball(0.5, position=[-1, 0, 0], velocity=[1, 0, 0], mass=1, restitution=1, friction=0)
        >>> b = world.ball(0.5, position=[1, 0, 0], mass=1, restitution=1, friction=0)
        >>> sim = world.simulate(retain=5.0, contacts=True).advance(2.0)
        >>> sim.contacts().foreseen[["time", "a", "b", "impulse"]].tolist()
        [(1.0, 0, 1, 1.0)]
        >>> change = sim.input(a, at=0.5, impulse=[0, 9, 0])     # it flies past
        >>> len(sim.contacts().retracted)
        1
        """
        return ContactNews(*map(_contacts, self._told.contact_news()))

    @property
    def multibodies(self):
        """The multibodies by their names: joints, links and motors of each."""
        return {name: Multibody({joint: (q, v) for joint, q, v in joints}, links, motors)
                for name, joints, links, motors in self._told.multibodies}

    def joints(self, multibody, at=None):
        """Positions and velocities of a multibody's joints, control signals of its motors, slots of its controller."""
        return Joints(*self._told.joints(multibody, at))

    def branch(self):
        """A second future that shares its past with this one, in microseconds."""
        return Simulation(self._told.branch())

    def cast_ray(self, origin, direction, farthest=1000.0, at=None):
        """The first body that a ray meets: (row, distance, point, normal), or None."""
        return self._told.cast_ray(origin, direction, farthest, at)

    def overlapping(self, position, *, ball=None, box=None, rotation=None, at=None):
        """The rows of bodies that a ball (radius) or a box (edges) touches or overlaps."""
        return self._told.overlapping(position, ball, box, rotation, at)

    def save(self, path):
        """Saves a checkpoint; `World.load_simulation` goes on from it. Returns the simulation."""
        self._told.save(path)
        return self

    def hash(self, at=None):
        """A hash of all states: simulations that agree on it agree on every bit of every body."""
        return self._told.hash(at)

    def events(self):
        """Takes the events that have become final since the last time, an array of `EVENT`."""
        return _events(self._told.take_events())

    def rollouts(self, inputs, horizon, *, bodies=None, kind="force", samples=1, events=False, threads=0):
        """Runs a branch for each plan over `horizon` seconds, on all cores, and returns states and events.

        `inputs` is a list of plans, each a list of dicts as `inputs()` takes them; or, with `bodies`, an array of shape
        (plans, steps, len(bodies), 3) of forces (or impulses) that act one after the other. States are told `samples`
        times, the last at the horizon. The bytes do not depend on `threads`.

        >>> world = warpline.World(gravity=[0, 0, 0])
        >>> ball = world.ball(0.1, mass=1)
        >>> sim = world.simulate()
        >>> pushes = np.zeros((3, 1, 1, 3)); pushes[:, 0, 0, 0] = [1, 2, 3]
        >>> sim.rollouts(pushes, 1.0, bodies=[ball], kind="impulse").states[:, -1, 0, 0].tolist()
        [1.0, 2.0, 3.0]
        """
        if bodies is not None:
            inputs = _np.ascontiguousarray(_numbers(inputs))
        states, raw, counts = self._told.run_rollouts(inputs, horizon, bodies, kind, samples, events, threads)
        return Rollouts(states, _events(raw), _np.repeat(_np.arange(len(counts)), counts))

    def close(self):
        """Lets it go; every later call is a `ClosedError`."""
        self._told.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


class Session:
    """A simulation in frames, for games that predict and roll back.

    Every peer runs its own; inputs carry the frame and the player they were made by, and may come late. A frame is
    confirmed when all its inputs are known: peers can compare hashes of it.

    >>> world = warpline.World(gravity=[0, 0, 0])
    >>> puck = world.ball(0.1, mass=1)
    >>> session = world.session(hertz=60, most_ahead=30)
    >>> session.advance_to(20)
    >>> _ = session.input(10, 0, puck, impulse=[1, 0, 0])     # made ten frames ago
    >>> session.confirm(20)
    >>> round(float(session.state(puck, 20)[0]), 3)
    0.167
    """

    def __init__(self, told):
        self._told = told

    @property
    def frame(self):
        """The frame that has been simulated up to."""
        return self._told.frame

    @property
    def confirmed(self):
        """The frame before which all inputs are known."""
        return self._told.confirmed

    def advance_to(self, frame):
        """Simulates up to the start of a frame; refused further ahead of the confirmed one than was agreed."""
        self._told.advance_to(frame)

    def input(self, frame, player, body, **action):
        """An input of a player in a frame that is not confirmed; see `Simulation.input` for what it may do."""
        return self._told.input(frame, player, body, **action)

    def add(self, frame, place, shape, **keys):
        """Adds a body that was not declared at the start of a frame, and returns its name; see `Simulation.add`.

        `place` is a number from 0: all peers give a body the same one.
        """
        key = "shapes" if isinstance(shape, (list, tuple)) else "shape"
        return self._told.add_body(frame, place, **{key: shape}, **keys)

    def withdraw(self, frame, player, body):
        """Takes a predicted input back."""
        return self._told.withdraw(frame, player, body)

    def confirm(self, frame):
        """All inputs of the frames before this one are known."""
        self._told.confirm(frame)

    def state(self, body, frame):
        """The state of a body at the start of a frame, or None if it is not there."""
        return self._told.state(body, frame)

    def states(self, frame):
        """The states of all bodies at the start of a frame, (n, 13)."""
        return self._told.states(frame)

    def hash(self, frame):
        """A hash of all states at the start of a frame: peers that agree on it agree on every bit."""
        return self._told.hash(frame)


def _numbers(array):
    try:
        array = _np.asarray(array)
        if array.dtype.kind not in "biufO":
            raise TypeError(f"its type is {array.dtype}")
        array = array.astype(_np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"expected an array of real numbers: {error}") from None
    if not _np.isfinite(array).all():
        raise ArgumentError("the array holds numbers that are not finite")
    return array


class Image:
    """A picture that a notebook shows."""

    def __init__(self, png):
        self.png = png

    def _repr_png_(self):
        return self.png

    def save(self, path):
        """Writes it as a PNG file."""
        with _builtin_open(path, "wb") as file:
            file.write(self.png)


_builtin_open = open


class Recording(_Told):
    """A recording, as arrays."""

    def __init__(self, path):
        self._told = _warpline.Recording(path)

    @property
    def scene(self):
        """The scene's name."""
        return self._told.scene

    @property
    def names(self):
        """The bodies' names (then those of cloth and shells), in the order of rows."""
        return self._told.names

    @property
    def span(self):
        """First and last moment, s."""
        return self._told.span

    @property
    def is_complete(self):
        """Whether the run came to its end."""
        return self._told.is_complete

    def states(self, at):
        """The states of all bodies at a moment, (n, 13)."""
        return self._told.states(at)

    def sample(self, times):
        """The states of all bodies at several moments, (moments, n, 13)."""
        return self._told.sample(_numbers(times).reshape(-1))

    def trajectory(self, body, times):
        """The states of one body at several moments, (moments, 13)."""
        return self._told.trajectory(body, _numbers(times).reshape(-1))

    def vertices(self, body, at):
        """The vertices of cloth or of a shell at a moment, (vertices, 3)."""
        return self._told.vertices(body, at)

    def triangles(self, body):
        """The triangles between the vertices of cloth or of a shell, (triangles, 3)."""
        return self._told.triangles(body)

    @property
    def events(self):
        """Everything that happened, an array of `EVENT`."""
        return _events(self._told.events_bytes())

    @property
    def contacts(self):
        """Who hit, touched and left whom, an array of `CONTACT`."""
        return _contacts(self._told.contacts_bytes())

    def table(self, fps=60.0):
        """Time, body and state as a dict of columns, at so many moments a second."""
        if not (isinstance(fps, (int, float)) and 0 < fps < float("inf")):
            raise ArgumentError(f"fps is {fps}; expected a positive number of moments a second")
        first, last = self.span
        times = first + _np.arange(int((last - first) * fps + 1e-9) + 1) / fps
        states = self.sample(times)
        names = _np.array(self.names)
        columns = ["x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz"]
        table = {"time": _np.repeat(times, len(names)), "body": _np.tile(names, len(times))}
        flat = states.reshape(-1, 13)
        table.update((column, flat[:, k]) for k, column in enumerate(columns))
        return table

    def to_pandas(self, fps=60.0):
        """The table as a data frame of pandas, if that is installed."""
        import pandas

        return pandas.DataFrame(self.table(fps))

    def to_polars(self, fps=60.0):
        """The table as a data frame of polars, if that is installed."""
        import polars

        return polars.DataFrame(self.table(fps))

    def export(self, to, *, what="motion", fps=None, since=None, until=None):
        """Writes it for other programs: .glb, .usda, .obj, .csv, .parquet or .mcap; `what="contacts"` as a table, .csv."""
        self._told.export(to, what, fps, since, until)

    def render(self, at=0.0, width=960, height=540, *, dark=False, close=False):
        """A picture of a moment, which a notebook shows."""
        return Image(self._told.render_png(at, width, height, dark, close))

    def view(self, port=0):
        """Shows it: in the cell of a notebook, else in a browser."""
        return _shown(self._told.serve(port))


def _shown(viewer):
    """A notebook shows what a cell returns; elsewhere a browser is opened."""
    try:
        get_ipython  # noqa: B018, F821: there in notebooks alone
    except NameError:
        import webbrowser

        webbrowser.open(viewer.url)
    return viewer


def open(path):
    """Opens a recording."""
    return Recording(path)
