"""The drives of an assembled manipulator: from the components that its joints name, or from assumptions.

What no component says is assumed, and each drive says what (`DriveParameters.assumed`).
"""

import math
from typing import Literal

import numpy as np

from hil.common.errors import DriveError
from sim.assembly.component_schema import Gear as GearTable
from sim.assembly.component_schema import Linear
from sim.assembly.component_schema import Motor as MotorTable
from sim.assembly.database import Database
from sim.assembly.manipulator import Axis, Manipulator
from sim.chain.dynamics import mass_matrix
from sim.drives.brake import Brake
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters
from sim.drives.end_stop import EndStop
from sim.drives.friction import Friction
from sim.drives.gear import Gear, TorqueSensor
from sim.drives.motor import CurrentLoop, Heating, Motor

ControllerName = Literal["cascade", "impedance", "off"]

COPPER = 0.00393  # [1/K] rise of copper's resistance
BANDWIDTH = 3000.0  # [rad/s] of current loops
SUPPLY = 48.0  # [V] of amplifiers, or what the joint's speed asks for
PEAK = 3.0  # of the continuous current, where a motor does not name its greatest torque
RATIO, PITCH = 100.0, 0.01  # of a gear that is not named; [m] way of a turn of a linear joint
STIFF = 100.0  # [1/rad] stiffness of a gear that is not named, by the joint's greatest torque
STIFF_LINEAR = 1e4  # [1/m]
STOP, STOP_LINEAR = 200.0, 1e4  # [1/rad], [1/m] stiffness of end stops, by the joint's greatest torque
STOP_DAMPING = 2.0  # of end stops, by the joint's greatest speed: what meets them at it does not come back
DAMPED = 0.02  # share of the critical damping of the joint's inertia on its spring, where none is given
HEAVY = (
    0.01  # [kg m2/(N m)] rotor's inertia on the joint's side by the joint's torque, where nothing is named
)
CURRENT = 10.0  # [A] at the greatest torque, of a motor that is not named
STIFF_LOOP = 100.0  # [rad/s] of speed loops of rigid gears
SOFTER = 5.0  # stiffness of the gear by that of a joint impedance
TORQUE_GAIN = 3.0  # of impedances with a torque sensor
FASTEST = 50.0  # [1/s] of position loops


def drives_of(
    manipulator: Manipulator, database: Database, controller: ControllerName = "cascade"
) -> tuple[DriveParameters, ...]:
    """Return the drives of a manipulator's joints, base first.

    Raises:
        DriveError: a joint names a component that is not of the kind that it must be.
        AssemblyError: a joint names a component that is not in the database.
    """
    chain = manipulator.chain
    middle = 0.5 * (manipulator.lower + manipulator.upper)
    bare = chain._replace(armatures=np.zeros(len(chain.linear)))
    inertias = np.diag(mass_matrix(bare, middle)).tolist()
    return tuple(
        _drive(axis, database, max(inertia, 1e-6), controller)
        for axis, inertia in zip(manipulator.axes, inertias, strict=True)
    )


def _drive(axis: Axis, database: Database, inertia: float, controller: ControllerName) -> DriveParameters:
    assumed: list[str] = []
    turns, gear_table = _turns_per_way(axis, assumed), None
    if axis.joint.gear is None:
        gear = _assumed_gear(axis, turns, assumed)
    else:
        gear_table = database[axis.joint.gear].gear
        if gear_table is None:
            raise DriveError(f"{axis.name}: gear = {axis.joint.gear!r} is no gear")
        gear = _gear(gear_table, turns)
    gear = _damped(gear, inertia, assumed)
    motor = _motor(axis, database, gear, gear_table, assumed)
    sensor = brake = None
    if axis.joint.torque_sensor is not None:
        table = database[axis.joint.torque_sensor].torque_sensor
        if table is None:
            raise DriveError(f"{axis.name}: torque_sensor = {axis.joint.torque_sensor!r} is no torque sensor")
        sensor = TorqueSensor(table.stiffness * turns**2)
    if axis.joint.brake is not None:
        found = database[axis.joint.brake].brake
        if found is None:
            raise DriveError(f"{axis.name}: brake = {axis.joint.brake!r} is no brake")
        brake = Brake(found.torque, found.closing_time)
    stop = _end_stop(axis, assumed)
    control = _controller(controller, motor, gear, sensor, inertia)
    if control is not None:
        assumed.append("the controller's gains follow from inertia and stiffness")
    return DriveParameters(motor, gear, Friction(), sensor, brake, control, tuple(assumed), stop)


def _end_stop(axis: Axis, assumed: list[str]) -> EndStop:
    """Return the stops at the ends of the joint's range, which bear its greatest torque at a small depth."""
    stiffness = axis.effort * (STOP_LINEAR if axis.linear else STOP)
    assumed.append(f"end stops of stiffness {stiffness:.4g}")
    return EndStop(axis.joint.lower, axis.joint.upper, stiffness, STOP_DAMPING / axis.joint.speed)


def _turns_per_way(axis: Axis, assumed: list[str]) -> float:
    """Return the turning of the gear's output by the joint's way: 1, of a linear joint [rad/m]."""
    if not isinstance(axis.joint, Linear):
        return 1.0
    if axis.joint.pitch is None:
        assumed.append(f"pitch {1e3 * PITCH:g} mm a turn")
    return 2.0 * math.pi / (axis.joint.pitch or PITCH)


def _gear(table: GearTable, turns: float) -> Gear:
    if table.stiffness is None or table.torque_limits is None:
        return Gear(table.ratio * turns, efficiency=table.efficiency)
    k1, k2, k3 = (table.stiffness * turns**2).tolist()
    t1, t2 = (table.torque_limits * turns).tolist()
    return Gear(
        table.ratio * turns, (k1, k2, k3), (t1, t2), table.damping * turns**2, table.backlash / turns,
        table.efficiency,
    )  # fmt: skip


def _assumed_gear(axis: Axis, turns: float, assumed: list[str]) -> Gear:
    stiffness = axis.effort * (STIFF_LINEAR if axis.linear else STIFF)
    assumed.append(f"gear of ratio {RATIO if not axis.linear else 1.0:g}, stiffness {stiffness:.4g}")
    ratio = turns if axis.linear else RATIO
    return Gear(ratio, (stiffness, stiffness, stiffness), (axis.effort, 2.0 * axis.effort))


def _damped(gear: Gear, inertia: float, assumed: list[str]) -> Gear:
    """Return the gear with some damping, if its component names none."""
    if gear.damping > 0.0 or gear.stiffness is None:
        return gear
    damping = 2.0 * DAMPED * math.sqrt(gear.stiffness[0] * inertia)
    assumed.append(f"gear damping {damping:.3g}, {100 * DAMPED:g} % of critical")
    return Gear(gear.ratio, gear.stiffness, gear.torque_limits, damping, gear.backlash, gear.efficiency)


def _motor(
    axis: Axis, database: Database, gear: Gear, gear_table: GearTable | None, assumed: list[str]
) -> Motor:
    ratio, speed = abs(gear.ratio), axis.joint.speed
    dry, stick, viscous, inertia = 0.0, 0.0, 0.0, 0.0
    if gear_table is not None:  # the gear's friction is that of its fast side
        turns = ratio / gear_table.ratio
        dry, viscous = gear_table.coulomb * turns / ratio, gear_table.viscous * (turns / ratio) ** 2
        stick = max(gear_table.stick - gear_table.coulomb, 0.0) * turns / ratio
        inertia = gear_table.inertia
    if axis.joint.motor is None:
        return _assumed_motor(
            axis, gear, Friction(dry, viscous, dry + stick if stick > 0.0 else 0.0), assumed
        )
    table = database[axis.joint.motor].motor
    if table is None:
        raise DriveError(f"{axis.name}: motor = {axis.joint.motor!r} is no motor")
    k = table.torque_constant
    peak = PEAK * table.current if table.torque_max is None else table.torque_max / k
    peak = min(peak, axis.effort / (ratio * k * gear.efficiency))
    loop = _loop(
        k, table.resistance, table.inductance, peak, min(table.current, peak), ratio * speed, assumed
    )
    dry += table.coulomb
    friction = Friction(dry, viscous + table.viscous, dry + stick if stick > 0.0 else 0.0)
    return Motor(
        k, table.resistance, table.inductance, table.rotor_inertia + inertia, loop, friction, _heating(table)
    )


def _assumed_motor(axis: Axis, gear: Gear, friction: Friction, assumed: list[str]) -> Motor:
    ratio = abs(gear.ratio)
    reflected = axis.joint.armature
    if reflected == 0.0:
        reflected = HEAVY * axis.effort
        assumed.append(f"rotor of {reflected:.3g} on the joint's side")
    k = axis.effort / (ratio * CURRENT)
    assumed.append(f"motor of {k:.3g} N m/A, 1 ohm, 1 mH; it stays cold")
    loop = _loop(k, 1.0, 1e-3, CURRENT, CURRENT, ratio * axis.joint.speed, assumed)
    return Motor(k, 1.0, 1e-3, reflected / ratio**2, loop, friction)


def _loop(
    k: float, resistance: float, inductance: float, peak: float, continuous: float, speed: float,
    assumed: list[str],
) -> CurrentLoop:  # fmt: skip
    loop = CurrentLoop.of_bandwidth(resistance, inductance, BANDWIDTH)
    supply = max(SUPPLY, 1.2 * (k * speed + resistance * peak))
    assumed.append(f"amplifier of {supply:.3g} V, {BANDWIDTH:g} rad/s")
    return CurrentLoop(loop.proportional, loop.integral, supply, peak, continuous)


def _heating(table: MotorTable) -> Heating:
    return Heating(
        table.winding_resistance, table.housing_resistance, table.winding_capacity, table.housing_capacity,
        table.winding_limit, COPPER,
    )  # fmt: skip


def _controller(
    name: ControllerName, motor: Motor, gear: Gear, sensor: TorqueSensor | None, inertia: float
) -> Cascade | Impedance | None:
    """Return a controller whose gains fit the joint.

    Seen from the joint the speed loop is a damper; `sqrt(K M)` of it takes the most out of the link's swing
    on its spring. The position loop is four times slower than that swing.
    """
    if name == "off":
        return None
    rotor, through = motor.rotor_inertia * gear.ratio**2, motor.torque_constant * gear.ratio**2
    if gear.stiffness is None and sensor is None:
        damper, swing = STIFF_LOOP * (inertia + rotor), STIFF_LOOP
        stiffness = damper * STIFF_LOOP
    else:
        soft = 0.0 if gear.stiffness is None else 1.0 / gear.stiffness[0]
        soft += 0.0 if sensor is None else 1.0 / sensor.stiffness
        stiffness = 1.0 / soft
        swing = math.sqrt(stiffness / inertia)
        damper = math.sqrt(stiffness * inertia) + min(swing, STIFF_LOOP) * rotor
    if name == "cascade":
        position = min(0.25 * swing, FASTEST)
        return Cascade(position, damper / through, 4.0 / position, True)
    gain = TORQUE_GAIN if sensor is not None else 0.0
    wanted = stiffness / SOFTER
    return Impedance(wanted, 1.4 * math.sqrt(wanted * (inertia + rotor / (1.0 + gain))), gain, True)
