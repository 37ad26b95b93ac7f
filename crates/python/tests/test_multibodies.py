"""Multibodies in code, robots from files, and controllers."""

import math
import pathlib
import threading

import numpy as np
import pytest

import warpline

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
      <inertia ixx="0.084" iyy="0.084" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.5"/><geometry><box size="0.1 0.1 1"/></geometry></collision>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 2"/><axis xyz="0 1 0"/>
  </joint>
</robot>
"""

MJCF = """<mujoco model="cart">
  <worldbody>
    <body name="cart" pos="0 0 1"><joint name="rail" type="slide" axis="1 0 0"/><geom type="box" size="0.2 0.1 0.1" mass="2"/></body>
  </worldbody>
  <actuator><motor name="push" joint="rail" gear="1"/></actuator>
</mujoco>
"""


def pendulum(**keys):
    world = warpline.World(contact=None)
    link = dict(name="rod", joint="hinge", axis=[0, 0, 1], mass=1, shape={"ball": 0.001, "position": [0, -1, 0]}, **keys)
    return world.multibody(name="pendulum", links=[link])


def test_a_pendulum_swings_by_the_law():
    sim = pendulum(start=2).simulate(retain=5)
    period = 2 * math.pi * math.sqrt(1 / 9.81) * (1 + math.radians(2) ** 2 / 16)
    sim.advance(period)
    then = sim.joints("pendulum")
    assert then.positions[0] == pytest.approx(math.radians(2), abs=1e-7)
    assert sim.joints("pendulum", at=period / 4).positions[0] == pytest.approx(0, abs=1e-6)
    assert sim.joints("pendulum", at=0.0).positions[0] == pytest.approx(math.radians(2), abs=1e-15)
    # The link is a body like others, which hangs where the joint says.
    angle = sim.joints("pendulum", at=0.25).positions[0]
    where = sim.state("pendulum.rod", at=0.25)
    np.testing.assert_allclose(where[3:7], [0, 0, math.sin(angle / 2), math.cos(angle / 2)], atol=1e-9)
    assert sim.multibodies["pendulum"] == ({"rod": (0, 0)}, ["pendulum.rod"], 0)
    assert "[[multibody]]" in pendulum().to_scene()


def test_a_robot_from_a_file_has_the_same_history_in_every_way(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(URDF)
    alone = warpline.World.load(file)
    run = alone.run(1.0)
    assert run.names == ["arm.upper"] and alone.warnings == []
    again = warpline.World("arm").robot(file, rotation={"axis": [1, 0, 0], "degrees": -90})
    assert again.run(1.0).history_sha256 == run.history_sha256
    assert alone.run(1.0, "ordered").history_sha256 == run.history_sha256
    # It hangs where the file says, y up.
    np.testing.assert_allclose(alone.simulate().state("arm.upper")[:3], [0, 2, 0], atol=1e-12)
    with pytest.raises(warpline.SceneError, match="no such file"):
        warpline.World.load(tmp_path / "none.urdf")
    file.write_text("<robot><link/></robot>")
    with pytest.raises(warpline.SceneError):
        warpline.World.load(file)


def test_a_controller_drives_a_robot_and_remembers_in_slots(tmp_path):
    (tmp_path / "cart.xml").write_text(MJCF)
    world = warpline.World(gravity=[0, 0, 0], contact=None).robot(tmp_path / "cart.xml", name="cart")

    def push(time, control):
        control.slots[0] += 1
        control.controls[0] = 4.0 if control.slots[0] <= 4 else 0.0
        return 0.25

    world.controller(push, "cart", slots=1)
    sim = world.simulate(retain=5).advance(2.1)
    seen = sim.joints("cart")
    # 4 N on 2 kg for one second, then as it was.
    assert seen.velocities[0] == pytest.approx(2.0, abs=1e-9)
    assert seen.positions[0] == pytest.approx(1.0 + 2.0 * 1.1, abs=1e-9)
    assert seen.controls.tolist() == [0.0] and seen.slots.tolist() == [9.0]
    assert sim.joints("cart", at=0.9).slots.tolist() == [4.0]
    assert sim.multibodies["cart"].motors == 1
    assert world.check(1.0)["differing"] == []
    # Two branches of it go on alike.
    a, b = sim.branch().advance(3.0), sim.branch().advance(3.0)
    assert a.hash() == b.hash()


def test_controllers_that_go_wrong():
    def world(function):
        made = warpline.World(gravity=[0, 0, 0], contact=None)
        link = dict(joint="slide", axis=[1, 0, 0], shape={"ball": 0.1}, motor={"force": 0})
        return made.multibody(name="m", links=[link]).controller(function, "m", first=0.1)

    def fails(time, control):
        raise ZeroDivisionError("as asked")

    def not_a_number(time, control):
        control.controls[0] = float("nan")

    with pytest.raises(ZeroDivisionError):
        world(fails).run(1.0)
    with pytest.raises(warpline.ArgumentError, match="finite"):
        world(not_a_number).run(1.0)
    with pytest.raises(warpline.ArgumentError, match="next call"):
        world(lambda time, control: -1.0).run(1.0)
    with pytest.raises(TypeError):
        world(lambda time, control: "soon").run(1.0)
    fine = world(lambda time, control: None)
    sim = fine.simulate(retain=5).advance(0.5)
    with pytest.raises(warpline.ArgumentError, match="`m`"):
        sim.joints("n")
    with pytest.raises(warpline.ArgumentError, match="out of reach"):
        sim.joints("m", at=9.0)
    with pytest.raises(warpline.ArgumentError, match="no multibody"):
        fine.controller(fails, "nobody").run(1.0)
    with pytest.raises(warpline.SceneError, match="shape"):
        warpline.World().multibody(links=[{"joint": "hinge", "axis": [0, 0, 1]}]).run(1.0)


def test_springs_and_position_motors_of_joints():
    world = warpline.World(gravity=[0, 0, 0])
    post = world.box([0.1, 0.1, 0.1], kind="fixed", layer="apart", collides=[])
    arm = world.box([1, 0.1, 0.1], position=[0.5, 0, 0], mass=1, layer="apart", collides=[])
    world.joint("hinge", post, arm, anchor=[0, 0, 0], axis=[0, 0, 1],
                motor={"position": 30, "stiffness": 20, "damping": 5, "torque": 50})
    state = world.run(5.0).state(arm)
    assert math.degrees(2 * math.atan2(state[5], state[6])) == pytest.approx(30, abs=0.5)


def test_a_controller_runs_while_another_thread_waits():
    calls = []
    world = pendulum().controller(lambda time, control: calls.append(threading.get_ident()) or 0.1, "pendulum")
    thread = threading.Thread(target=lambda: world.run(1.0))
    thread.start()
    thread.join(60)
    assert len(calls) >= 10 and pathlib.Path(__file__).exists()


def test_a_late_signal_to_a_motor_is_as_one_in_time():
    def arm():
        world = warpline.World(gravity=[0, 0, 0], contact=None)
        return world.multibody(name="arm", links=[dict(
            name="rod", joint="hinge", axis=[0, 0, 1], mass=3, shape={"box": [2, 0.1, 0.1], "position": [1, 0, 0]}, motor={"force": 0})])

    late = arm().simulate(retain=5).advance(2.0)
    change = late.input("arm.rod", at=0.5, signal=(0, 2.0))
    assert change["changed"] == [0] and change["since"] == [0.5]
    in_time = arm().simulate(retain=5).advance(0.5)
    in_time.input("arm.rod", signal=(0, 2.0))
    assert late.states().tobytes() == in_time.advance(2.0).states().tobytes()
    # A torque for a second and a half: about the hinge a rod has m (l² / 3 + w² / 12), the box of the joint's frame.
    inertia = 3 * (2**2 / 3 + 0.1**2 / 12)
    assert late.joints("arm").velocities[0] == pytest.approx(2.0 / inertia * 1.5, rel=1e-9)
    for wrong in [(1, 2.0), (0, math.nan)]:
        with pytest.raises(warpline.InputError):
            late.input("arm.rod", at=1.0, signal=wrong)
    for wrong in [3.0, "fast", (0.5, 1.0), (-1, 1.0)]:
        with pytest.raises(warpline.ArgumentError, match="motor's number"):
            late.input("arm.rod", at=1.0, signal=wrong)
