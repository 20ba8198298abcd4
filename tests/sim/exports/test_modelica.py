"""The Modelica text, compiled and simulated by rumoca, goes the way of our simulation.

What rumoca 0.10 cannot do: it takes no inputs that change with time, so what is told stands in a model around
the arm; and dry friction that truly sticks is beyond its events, so that is bristles, which creep by tens of
nanometres and break loose at almost the torque at which they should.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.export_cases import modelica_run, robot_r3_modelica, robot_r3_source, swing_run
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.kinematics import tip_pose
from sim.drives import robot_r3
from sim.drives.drive import DriveParameters
from sim.drives.end_stop import EndStop
from sim.drives.gear import Gear
from sim.drives.motor import CurrentLoop, Motor
from sim.drives.of_assembly import drives_of
from sim.exports.modelica import CLASSES, _friction, _list, modelica_text
from sim.exports.swing import home_of
from sim.exports.tip_follower import follow_tip, pose_vector
from tests.sim.exports.arms import arm_named, shipped

rumoca = pytest.importorskip("rumoca", reason="rumoca compiles and simulates Modelica")
REFERENCE = Path(__file__).parents[4] / "shared" / "data" / "modelica" / "robot_r3_full.csv"
NEAR = 1e-4  # rad, m
SECONDS = 0.04
SLIDES, STICKS = 10.9, 16.8  # N m


def driven(name: str, controller: str = "cascade") -> tuple[Manipulator, tuple[DriveParameters, ...]]:
    """An arm and its drives."""
    chain = arm_named(name)
    made = manipulator_of(chain)
    return made, drives_of(made, chain.database, controller)


@pytest.mark.parametrize("name", ["drawn-4", *(path.stem for path in shipped())])
def test_it_goes_the_way_of_our_simulation(name: str) -> None:
    """Bodies, drives, friction, controllers that know the weight: each joint of each arm."""
    made, drives = driven(name)
    worst, _ = swing_run(made, drives, SECONDS)
    assert worst.max() < NEAR


def pushed(push: str, speed: float, seconds: float) -> np.ndarray:
    """Way of a mass of 1 kg m2 on bristles under a push, at 41 instants."""
    source = f"""package pushed
{CLASSES.read_text(encoding="utf-8")}
  model Mass
    DryFriction friction{_friction(SLIDES, SLIDES, STICKS, 0.0, 1.0, 1.0)};
    Real x(start = 0, fixed = true);
    Real v(start = {speed}, fixed = true);
  equation
    der(x) = v;
    der(v) = {push} - friction.torque;
    friction.w = v;
    friction.forwards = {SLIDES};
    friction.backwards = {SLIDES};
    friction.stick = {STICKS};
    friction.stick_back = {STICKS};
  end Mass;
end pushed;
"""
    return modelica_run(source, "pushed.Mass", ["x"], seconds / 40, 41).q[:, 0]


@pytest.mark.parametrize("rate", [20.0, 200.0, 2000.0])
def test_what_sticks_breaks_loose_when_it_should(rate: float) -> None:
    """Closed form: under a rising push it stands until that is 16.8, then friction is 10.9 at once."""
    loose = STICKS / rate
    t = np.linspace(0.0, loose + 0.04, 41)
    free = np.maximum(t - loose, 0.0)
    way = (STICKS - SLIDES) * free**2 / 2.0 + rate * free**3 / 6.0
    found = pushed(f"{rate} * time", 0.0, loose + 0.04)
    np.testing.assert_allclose(found, way, rtol=0, atol=8e-5)
    assert np.abs(found[t < loose]).max() < 1e-7 and way[-1] > 4e-3


def test_what_slides_comes_to_stand_when_it_should() -> None:
    """Closed form: almost held up by its push, it slides to its stand against 10.9, not against 16.8."""
    speed, brake = 1e-3, 0.01
    t = np.linspace(0.0, 0.15, 41)
    way = speed * np.minimum(t, speed / brake) - brake * np.minimum(t, speed / brake) ** 2 / 2.0
    found = pushed(f"{SLIDES - brake}", speed, 0.15)
    np.testing.assert_allclose(found, way, rtol=0, atol=2e-6)


def test_an_arm_that_breaks_loose_under_its_weight_falls_as_ours() -> None:
    """Without controllers, against dry friction."""
    made, drives = driven("ur10e", "off")
    worst, run = swing_run(made, drives, 0.2)
    assert worst.max() < NEAR and np.ptp(run.q, axis=0).max() > 0.05


def test_a_joint_impedance_too() -> None:
    """The other controller, with linear joints and joints without a drive of their own."""
    made, drives = driven("drawn-4", "impedance")
    worst, run = swing_run(made, drives, SECONDS)
    assert worst.max() < NEAR
    assert np.ptp(run.q, axis=0).max() > 1e-4


def test_joints_end_where_ours_do() -> None:
    """Turning and sliding joints fall onto their stops and bounce, either way."""
    made, _ = driven("drawn-4")
    free = DriveParameters(Motor(0.1, 1.0, 1e-3, 1e-3, CurrentLoop(1.0, 1.0)), Gear(1.0))
    ends = [EndStop(q - 0.03, q + 0.03, 800.0, 1.0) for q in home_of(made)]
    worst, run = swing_run(made, tuple(replace(free, end_stop=end) for end in ends), 0.4)
    away = np.abs(run.q - home_of(made)).max(axis=0)
    assert (away > 0.0301).sum() >= 3 and worst.max() < 1e-4


def test_bodies_alone_fall_as_ours() -> None:
    """Rigid gears, no friction, no current: turning and sliding joints fall and fling each other about."""
    made, _ = driven("drawn-4")
    free = DriveParameters(Motor(0.1, 1.0, 1e-3, 1e-3, CurrentLoop(1.0, 1.0)), Gear(1.0))
    worst, run = swing_run(made, (free,) * 4, 0.4)
    assert worst.max() < 1e-6
    assert np.ptp(run.q, axis=0).min() > 0.05


def test_the_tip_goes_where_it_is_told() -> None:
    """The equation that FMU and simulator step: references within what its steps of 0.1 ms leave."""
    made, drives = driven("puma560")
    start, n, rows, h = home_of(made) + 0.3 * np.cos(np.arange(6)), 6, 5, 1e-4
    command = tip_pose(made.chain, start)
    command[:3, 3] += (0.03, -0.02, 0.02)
    told = pose_vector(command)
    model = f"""\
  model Told
    ArmByTip arm;
  equation
    arm.tip_position = {_list(told[:3])};
    arm.tip_rotation = {_list(told[3:])};
    arm.tip_force = {{0, 0, 0}};
    arm.tip_torque = {{0, 0, 0}};
  end Told;
end puma560;
"""
    source = modelica_text(made, drives, start).replace("end puma560;\n", model)
    names = [f"arm.q_ref[{i + 1}]" for i in range(n)]
    run = modelica_run(source, "puma560.Told", names, 0.01, rows)
    q, path = start, [start]
    for _ in range(round(0.01 * (rows - 1) / h)):
        q, _ = follow_tip(made.chain, q, command, made.lower, made.upper, 100.0 * made.speeds, h)
        path.append(q)
    np.testing.assert_allclose(run.q, path[::100], rtol=0, atol=2e-3 * np.ptp(run.q))
    assert np.ptp(run.q, axis=0).max() > 0.02


@pytest.mark.skipif(not REFERENCE.is_file(), reason=f"{REFERENCE} with the published trajectory is not here")
def test_robot_r3_exported_is_the_published_one() -> None:
    """The first 0.3 s of the reference; bench.exported_models has the whole."""
    table = np.genfromtxt(REFERENCE, delimiter=",", names=True)
    reference = np.stack([table[f"r{joint}"] for joint in range(1, 7)], axis=1)
    run = robot_r3_modelica(31)
    assert np.abs(run.q - reference[:31]).max() < NEAR


def test_what_rumoca_cannot_do_is_known() -> None:
    """Inputs that vary in time are refused by it, by name: when that ends, say so in docs/use/exports.md."""
    made, drives = driven("drawn-1")
    model = rumoca.Session().loads(modelica_text(made, drives), model="arm_1.Arm")
    assert set(model.inputs.names) == {"q_ref", "dq_ref", "tip_force", "tip_torque"}
    with pytest.raises(rumoca.RumocaError, match="time-varying inputs"):
        model.simulate(0.01, inputs={"q_ref": lambda t: t})


def test_the_text_has_what_the_arm_has() -> None:
    """Instances of classes, connections, places and solids for pictures, for each link, joint and drive."""
    made, drives = driven("lwr4")
    text = modelica_text(made, drives)
    for i, axis in enumerate(made.axes):
        assert f"connect(link_{i}.frame_b, {axis.name}.frame_a);" in text
        assert f"connect({axis.name}.shaft, {axis.name}_gear.joint)" in text or f"{axis.name}_motor" in text
    solids = sum(len(placed.body.shapes) for unit in made.units for placed in unit)
    assert text.count('Shape(solid = "') == solids
    assert text.count("Link link_") == 2 * (
        len(made.axes) + 1
    )  # of the arm, and of what is held for its weight
    assert not [d for d in rumoca.validate_source(text) if d.level == "error"]
    assert "Path" in robot_r3_source() and robot_r3.DURATION == 1.85
