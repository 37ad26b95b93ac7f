"""A cart and a pole, as an environment of gymnasium: push the cart so that the pole stays up.

The cart slides on a rail, the pole turns on a hinge, and both are joints of a contact group: bodies that take inputs.
With gymnasium it is also `gymnasium.make("warpline/CartPole-v0")` once this module is imported.

>>> import warpline.cart_pole
>>> cart = warpline.cart_pole.CartPole()
>>> cart.angle(cart.start())
0.0
"""

import math

import numpy as np

import warpline

try:
    import gymnasium
    from gymnasium import spaces

    _Base = gymnasium.Env
except ImportError:  # the scene alone needs no gymnasium
    gymnasium = None
    _Base = object

#: Seconds between two decisions.
STEP = 1 / 50
#: The largest push, N.
FORCE = 10.0


class CartPole:
    """The scene: a cart of 1 kg on a rail, a pole of 0.1 kg and 1 m."""

    def __init__(self):
        world = warpline.World("cart pole")
        world.body({"box": [0.1, 0.1, 0.1]}, name="post", kind="fixed", position=[0, 0, -1], layer="apart", collides=[])
        world.box([0.4, 0.2, 0.2], name="cart", mass=1.0, layer="apart", collides=[])
        world.box([0.04, 1.0, 0.04], name="pole", position=[0, 0.5, 0], mass=0.1, layer="apart", collides=[])
        world.joint("slider", "post", "cart", anchor=[0, 0, 0], axis=[1, 0, 0])
        world.joint("hinge", "cart", "pole", anchor=[0, 0, 0], axis=[0, 0, 1])
        self.world = world
        self._start = world.simulate(retain=0.0)

    def start(self):
        """A simulation at the start: a branch, so that starting anew costs microseconds."""
        return self._start.branch()

    @staticmethod
    def angle(sim):
        """How far the pole leans towards +x, radians."""
        q = sim.state("pole")[3:7]
        # The pole's own y axis in the world.
        x, y = 2 * (q[0] * q[1] - q[2] * q[3]), 1 - 2 * (q[0] ** 2 + q[2] ** 2)
        return math.atan2(x, y)

    @classmethod
    def observe(cls, sim):
        """Position and velocity of the cart, angle and angular velocity of the pole."""
        cart, pole = sim.state("cart"), sim.state("pole")
        return np.array([cart[0], cart[7], cls.angle(sim), -pole[12]])


class CartPoleEnv(_Base):
    """The environment. Observations are those of `CartPole.observe`; an action is a push from -1 to 1 times 10 N.

    A step is worth 1 while the pole leans less than 0.2 rad and the cart is within 2.4 m of the middle.
    """

    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        if gymnasium is None:
            raise ImportError("this environment needs gymnasium: pip install warpline[learn]")
        self.render_mode = render_mode
        # Beyond these the episode is long over; an observation that passes them is told as it is.
        most = np.array([100.0, 1000.0, np.pi, 1000.0])
        self.observation_space = spaces.Box(-most, most, dtype=np.float64)
        self.action_space = spaces.Box(-1.0, 1.0, (1,), np.float32)
        self._scene = CartPole()
        self.sim = None
        self._steps = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if self.sim is not None:
            self.sim.close()
        self.sim = self._scene.start()
        push = self.np_random.uniform(-0.02, 0.02)
        # A little push on the top of the pole at the start: the same seed gives the same bytes.
        self.sim.input("pole", at=0.0, order=1, impulse=[push, 0, 0], point=[0, 1.0, 0])
        self.sim.advance(STEP)
        self._steps = 1
        return self._scene.observe(self.sim), {}

    def step(self, action):
        force = FORCE * float(np.clip(np.asarray(action, dtype=np.float64).reshape(-1)[0], -1, 1))
        self.sim.input("cart", force=[force, 0, 0], seconds=STEP)
        self._steps += 1
        self.sim.advance(self._steps * STEP)
        seen = self._scene.observe(self.sim)
        fell = bool(abs(seen[2]) > 0.2 or abs(seen[0]) > 2.4)
        return seen, 0.0 if fell else 1.0, fell, False, {}

    def close(self):
        if self.sim is not None:
            self.sim.close()
            self.sim = None


if gymnasium is not None:
    gymnasium.register("warpline/CartPole-v0", entry_point="warpline.cart_pole:CartPoleEnv", max_episode_steps=500)
