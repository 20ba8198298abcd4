"""From a joint's components to its drive: by hand, sliding joints, and what is assumed where none is."""

import math
from pathlib import Path

import numpy as np
import pytest

from bench.drive_cases import ASSEMBLIES
from bench.drive_cases import DATABASE as SHIPPED
from hil.common.errors import DriveError
from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import Database
from sim.assembly.manipulator import manipulator_of
from sim.drives.arm_simulation import ArmSimulation
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters
from sim.drives.of_assembly import drives_of
from tests.sim.drives.arms import DATABASE, FLANGE, component, light_weight_arm

BODY = {"mass_kg": 1.0, "inertia_kg_m2": [0.01, 0.01, 0.01, 0, 0, 0]}


def drive_of(database: Database, joint: dict[str, object], controller: str = "cascade") -> DriveParameters:
    """The drive of an arm of one joint of this kind."""
    more = database.with_more(
        [component("own", "joint", input=FLANGE, output=FLANGE, bodies=[BODY, BODY], joints=[joint])]
    )
    made = manipulator_of(Chain("one", more).add("base").add("own"))
    return drives_of(made, more, controller)[0]  # type: ignore[arg-type]


TURNS = {"type": "revolute", "lower_deg": -90.0, "upper_deg": 90.0, "speed_deg_s": 90.0, "torque_n_m": 50.0}
SLIDES = {"type": "linear", "lower_mm": 0.0, "upper_mm": 500.0, "speed_mm_s": 200.0, "force_n": 800.0}
NAMED = {"motor": "motor-s", "gear": "gear-s", "torque_sensor": "sensor-s", "brake": "brake-s"}


def test_components_become_a_drive() -> None:
    """Every number of motor, gear, sensor and brake; the gear's friction is on the motor's shaft."""
    drive = drive_of(DATABASE, {**TURNS, **NAMED})
    motor, gear = drive.motor, drive.gear
    assert (motor.torque_constant, motor.resistance, motor.rotor_inertia) == (0.10, 0.8, 6e-5)
    assert motor.inductance == pytest.approx(3e-4)
    assert (gear.ratio, gear.stiffness, gear.torque_limits) == (
        100.0,
        (10000.0, 14000.0, 16000.0),
        (3.9, 12.0),
    )
    assert (gear.damping, gear.efficiency) == (20.0, 0.8)
    assert motor.friction.coulomb == pytest.approx(0.01 + 2.0 / 100.0)
    assert motor.friction.viscous == pytest.approx(1e-5)
    assert drive.sensor is not None and drive.sensor.stiffness == 4.0 * 14000.0
    assert drive.brake is not None and drive.brake.torque == 2.0
    assert motor.heating is not None and motor.heating.winding_capacity == 60.0
    # the joint's torque bounds the current: 50/(100 * 0.1 * 0.8)
    assert motor.loop.current_max == pytest.approx(6.25)
    assert not any("gear of" in text or "motor of" in text for text in drive.assumed)


@pytest.mark.parametrize("coulomb, stick", [(2.0, 5.0), (2.0, 1.0), (0.0, 3.0), (2.0, 0.0)])
@pytest.mark.parametrize("motor", [True, False])
def test_a_gear_breaks_away_at_what_its_component_says(coulomb: float, stick: float, motor: bool) -> None:
    """On the motor's shaft: the gear's by its ratio, beside the motor's own; below coulomb it is none."""
    gear = {
        "ratio": 100.0,
        "efficiency": 1.0,
        "torque_peak_n_m": 90.0,
        "coulomb_n_m": coulomb,
        "stick_n_m": stick,
    }
    database = DATABASE.with_more([component("rough", "gear", gear=gear)])
    named = {"motor": "motor-s", "gear": "rough"} if motor else {"gear": "rough"}
    friction, own = drive_of(database, {**TURNS, **named}).motor.friction, 0.01 if motor else 0.0
    assert friction.coulomb == pytest.approx(own + coulomb / 100.0)
    assert friction.stick == pytest.approx(own + stick / 100.0 if stick > coulomb else 0.0)


def test_a_joint_stands_until_its_gear_breaks_away() -> None:
    """A gear without current, pushed at its joint: it holds below what it sticks at, and gives above."""
    gear = {"ratio": 100.0, "efficiency": 1.0, "torque_peak_n_m": 90.0, "coulomb_n_m": 2.0, "stick_n_m": 5.0}
    more = DATABASE.with_more([component("rough", "gear", gear=gear)])
    joint = component("own", "joint", input=FLANGE, output=FLANGE, bodies=[BODY, BODY],
                      joints=[{**TURNS, "motor": "motor-s", "gear": "rough"}])  # fmt: skip
    more = more.with_more([joint])
    made = manipulator_of(Chain("one", more).add("base").add("own"))
    holds = 5.0 + 0.01 * 100.0  # the motor's own friction with it
    for push, moves in ((0.98 * holds, False), (1.02 * holds, True)):
        arm = ArmSimulation(made, more, controller="off", gravity=np.zeros(3), q_start=np.zeros(1))
        rest = np.zeros((200, 1))
        arm.run(rest, rest, np.array([0.0, 0.0, 0.0, 0.0, 0.0, push]))
        assert (abs(arm.q[0]) > 1e-3) == moves


def test_a_joint_that_slides_has_its_drive_by_the_pitch() -> None:
    """A turn of the gear's output is 20 mm: ratio by 2 pi/pitch, stiffness and damping by its square."""
    drive = drive_of(DATABASE, {**SLIDES, **NAMED, "pitch_mm": 20.0})
    turn = 2.0 * math.pi / 0.020
    assert drive.gear.ratio == pytest.approx(100.0 * turn)
    assert drive.gear.stiffness is not None
    np.testing.assert_allclose(drive.gear.stiffness, np.array([10000.0, 14000.0, 16000.0]) * turn**2)
    np.testing.assert_allclose(drive.gear.torque_limits, np.array([3.9, 12.0]) * turn)
    assert drive.gear.damping == pytest.approx(20.0 * turn**2)
    assert drive.sensor is not None and drive.sensor.stiffness == pytest.approx(56000.0 * turn**2)
    assert drive.motor.friction.coulomb == pytest.approx(0.01 + 2.0 / 100.0)


def test_what_no_component_says_is_assumed_and_said() -> None:
    """A bare joint of either kind has a whole drive, and each assumption is named."""
    for joint in (TURNS, SLIDES):
        drive = drive_of(DATABASE, joint)
        assert {text.split()[0] for text in drive.assumed} >= {"gear", "motor", "rotor", "amplifier"}
    given = drive_of(DATABASE, {**TURNS, "armature_kg_m2": 0.7})
    assert given.motor.rotor_inertia * given.gear.ratio**2 == pytest.approx(0.7)
    assert not any(text.startswith("rotor") for text in given.assumed)


@pytest.mark.parametrize("path", sorted(ASSEMBLIES.glob("*.toml")), ids=lambda path: path.stem)
def test_rotors_are_the_mass_matrixs_armatures(path: Path) -> None:
    """Rotor and gear's fast side by the ratio's square: the same on a drive and in the chain."""
    chain = load_assembly(path, SHIPPED)
    made = manipulator_of(chain)
    drives = drives_of(made, SHIPPED)
    for axis, drive, armature in zip(made.axes, drives, made.chain.armatures, strict=True):
        if not any(text.startswith("rotor") for text in drive.assumed):
            assert drive.motor.rotor_inertia * drive.gear.ratio**2 == pytest.approx(armature), axis.name


def test_a_component_of_the_wrong_kind_is_named() -> None:
    """A gear where a motor belongs, and so on."""
    for key, wrong in (
        ("motor", "gear-s"),
        ("gear", "motor-s"),
        ("brake", "gear-s"),
        ("torque_sensor", "brake-s"),
    ):
        with pytest.raises(DriveError, match=f"own: {key} = '{wrong}' is no"):
            _wrong(key, wrong)


def _wrong(key: str, wrong: str) -> DriveParameters:
    """The drive of a joint that names a component wrongly, its armature aside."""
    made = manipulator_of(light_weight_arm())
    joint = made.axes[0].joint.model_copy(update={key: wrong})
    axis = type(made.axes[0])("own", joint)
    odd = type(made)(made.name, made.chain, (axis, *made.axes[1:]), made.units, made.gravity)
    return drives_of(odd, DATABASE)[0]


@pytest.mark.parametrize("name", ["cascade", "impedance", "off"])
def test_an_arm_holds_its_place_with_each_controller(name: str) -> None:
    """A second at rest: the links stay where they are asked to be; without currents they do not."""
    made, q = manipulator_of(light_weight_arm()), np.radians([0.0, 40.0, 0.0, -80.0, 0.0, 50.0, 0.0])
    arm = ArmSimulation(made, DATABASE, controller=name, q_start=q)  # type: ignore[arg-type]
    kinds = {"cascade": Cascade, "impedance": Impedance, "off": type(None)}
    assert all(isinstance(drive.controller, kinds[name]) for drive in arm.drive_parameters)
    rest = np.tile(q, (1000, 1))
    arm.run(rest, np.zeros_like(rest))
    away = np.abs(arm.q - q).max()
    assert away < 1e-6 if name != "off" else away > 1e-3
