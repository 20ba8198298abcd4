"""One step of one drive for a given motion of its joint. Compiled.

theory: implicit midpoint rule (docs/understand/drives.md): with the joint's motion given, all of a drive's
equations are linear in its rotor's speed w1 at the end of the step, but for lines, limits and dry friction.
So one equation `g(w1) = -friction` is left, g rising; it is solved exactly, friction by cases: turning
forwards, backwards, or standing. What the rigid bodies need is the torque and its slope by the joint's
acceleration.
"""

import math
from typing import Any, NamedTuple

from numba import njit

from hil.common.arrays import Array
from sim.drives.drive import CASCADE, OFF
from sim.drives.spring import mean_torque, touching

ROUNDS = 40
SAME = 1e-13  # relative, of speeds
HOT = 0.9  # of the winding's limit: from here on the current's limit falls


class Order(NamedTuple):
    """What a drive is asked for during a step.

    Attributes:
        angle: of the motor [rad].
        speed: of the motor [rad/s].
        torque: of the weight, where its controller knows it [N m, N].
        limit: of the current's reference [A].
        resistance: of the winding [ohm].
        on: whether there is current.
        carried: acceleration of what carries the rotor, about its axis [rad/s2]; 0: not looked at.
    """

    angle: float
    speed: float
    torque: float
    limit: float
    resistance: float
    on: bool
    carried: float


class Electric(NamedTuple):
    """Amplifier and winding in the middle of a step, and the current's slopes.

    Attributes:
        current: [A].
        voltage: [V].
        reference: of the current [A].
        error: of the speed controller [rad/s].
        by_omega: slope of the current by w1, the torque given [A s/rad].
        by_torque: by the gear's torque [A/(N m)].
        free: neither reference nor voltage is at its limit.
    """

    current: float
    voltage: float
    reference: float
    error: float
    by_omega: float
    by_torque: float
    free: bool


class Shaft(NamedTuple):
    """A rotor's equation at a trial of w1.

    Attributes:
        g: what is left without dry friction [N m].
        slope: dg/dw1.
        torque: of the gear on the joint [N m, N].
        by_omega: slope of that by w1.
        by_q: slope of that by the joint's position at the end.
        g_by_q: dg by the joint's position at the end.
    """

    g: float
    slope: float
    torque: float
    by_omega: float
    by_q: float
    g_by_q: float


@njit(cache=True)
def order_of(d: Any, s: Any, q_ref: float, dq_ref: float, known: Array) -> Order:
    """Return the order: motor angle and speed, limits of heat and brake, what is known (`orders_into`)."""
    warm = HOT * d.winding_limit
    share = min(max((d.winding_limit - s.winding) / (d.winding_limit - warm), 0.0), 1.0)
    limit = d.current_continuous + share * max(d.current_max - d.current_continuous, 0.0)
    on = d.controller != OFF and s.braked == 0
    weight, lead = (known[0], known[1]) if d.gravity_model != 0 else (0.0, 0.0)
    return Order(
        d.ratio * (q_ref + lead),
        d.ratio * dq_ref,
        weight,
        min(limit, d.current_max),
        d.resistance * (1.0 + d.alpha * s.winding),
        on,
        known[2],
    )


@njit(cache=True)
def electric_at(d: Any, s: Any, order: Order, omega: float, torque: float, h: float) -> Electric:
    """Return amplifier and winding at a trial of w1 and of the gear's torque."""
    if not order.on:
        return Electric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, False)
    mid, angle = 0.5 * (s.omega + omega), s.theta + 0.25 * h * (s.omega + omega)
    error, by_torque = 0.0, 0.0
    if d.controller == CASCADE:
        error = d.position_gain * (order.angle - angle) + order.speed - mid
        lag = 1.0 + 0.5 * h / d.integral_time
        reference = d.velocity_gain * (lag * error + s.speed_integral)
        reference += order.torque / (d.ratio * d.torque_constant)
        by_omega = -d.velocity_gain * lag * (0.25 * h * d.position_gain + 0.5)
    else:
        per = 1.0 / (d.ratio * d.torque_constant)
        gain = (1.0 + d.torque_gain) * per
        asked = d.impedance_stiffness * (order.angle - angle) + d.impedance_damping * (order.speed - mid)
        reference = gain * (asked / d.ratio + order.torque) - d.torque_gain * per * torque
        by_omega = -gain * (0.25 * h * d.impedance_stiffness + 0.5 * d.impedance_damping) / d.ratio
        by_torque = -d.torque_gain * per
    free = True
    if abs(reference) > order.limit:
        reference, by_omega, by_torque, free = math.copysign(order.limit, reference), 0.0, 0.0, False
    gain, coil = d.loop_proportional + 0.5 * h * d.loop_integral, 2.0 * d.inductance / h
    whole = coil + order.resistance + gain
    driven = coil * s.current + s.voltage_integral - d.torque_constant * mid
    current = (driven + gain * reference) / whole
    voltage = s.voltage_integral + gain * (reference - current)
    if abs(voltage) > d.voltage_max:
        voltage = math.copysign(d.voltage_max, voltage)
        whole = coil + order.resistance
        current = (coil * s.current + voltage - d.torque_constant * mid) / whole
        return Electric(current, voltage, reference, error, -0.5 * d.torque_constant / whole, 0.0, False)
    by_omega = (gain * by_omega - 0.5 * d.torque_constant) / whole
    return Electric(current, voltage, reference, error, by_omega, gain * by_torque / whole, free)


@njit(cache=True)
def shaft_at(d: Any, s: Any, order: Order, omega: float, q: float, h: float) -> Shaft:
    """Return the rotor's equation at a trial of w1, with the joint at q at the end of the step."""
    theta = s.theta + 0.5 * h * (s.omega + omega)
    before, after = s.theta / d.ratio - s.q, theta / d.ratio - q
    torque, k = mean_torque(d, before, after)
    share = touching(d, before, after)
    if share > 0.0:
        damping = share * d.gear_damping / h
        pulls = torque + damping * (after - before)
        if d.backlash > 0.0 and pulls * torque <= 0.0:  # flanks do not pull
            torque, k = 0.0, 0.0
        else:
            torque, k = pulls, k + damping
    e = electric_at(d, s, order, omega, torque, h)
    by_torque = 1.0 / d.ratio - d.torque_constant * e.by_torque
    by_omega = k * 0.5 * h / d.ratio
    g = d.rotor_inertia * (omega - s.omega) / h - d.torque_constant * e.current + torque / d.ratio
    g += 0.5 * d.motor_viscous * (s.omega + omega) + d.rotor_inertia * order.carried
    slope = d.rotor_inertia / h + 0.5 * d.motor_viscous - d.torque_constant * e.by_omega
    return Shaft(g, slope + by_torque * by_omega, torque, by_omega, -k, -by_torque * k)


@njit(cache=True)
def dry_friction(d: Any, s: Any) -> tuple[float, float, float, float]:
    """Return friction on the motor's shaft: forwards, backwards, and while standing, both ways [N m].

    Brake and load have their share; the load's is that of the step before.
    """
    load = s.torque / d.ratio
    drive, back = (1.0 / d.efficiency - 1.0) * abs(load), (1.0 - d.efficiency) * abs(load)
    brake = d.brake_torque if s.brake_timer >= d.brake_closing_time and s.braked != 0 else 0.0
    more, more_back = (drive, back) if load >= 0.0 else (back, drive)
    forwards, backwards = d.motor_coulomb + more + brake, d.motor_coulomb_back + more_back + brake
    stick = d.motor_stick + brake
    return forwards, backwards, max(forwards, stick + more), max(backwards, stick + more_back)


@njit(cache=True)
def _turning(d: Any, s: Any, order: Order, q: float, h: float, friction: float) -> float:
    """Return w1 for a friction that is known; Newton, exact on a piece where nothing changes."""
    omega = s.omega
    for _ in range(ROUNDS):
        at = shaft_at(d, s, order, omega, q, h)
        change = -(at.g + friction) / at.slope
        omega += change
        if abs(change) <= SAME * (1.0 + abs(omega)):
            break
    return omega


@njit(cache=True)
def rotor_step(d: Any, s: Any, order: Order, q: float, h: float) -> tuple[float, float, bool]:
    """Return w1 [rad/s], the dry friction [N m] and whether the rotor stands, for q at the end."""
    forwards, backwards, stick, stick_back = dry_friction(d, s)
    if forwards == 0.0 and backwards == 0.0 and stick == 0.0 and stick_back == 0.0:
        return _turning(d, s, order, q, h, 0.0), 0.0, False
    if s.omega > 0.0:
        omega = _turning(d, s, order, q, h, forwards)
        if omega > 0.0:
            return omega, forwards, False
    elif s.omega < 0.0:
        omega = _turning(d, s, order, q, h, -backwards)
        if omega < 0.0:
            return omega, -backwards, False
    needed = -shaft_at(d, s, order, 0.0, q, h).g
    if -stick_back <= needed <= stick:
        return 0.0, needed, True
    friction = forwards if needed > 0.0 else -backwards
    return _turning(d, s, order, q, h, friction), friction, False


@njit(cache=True)
def joint_torque(
    d: Any, s: Any, order: Order, dq: float, q: float, q_slope: float, h: float
) -> tuple[float, float]:
    """Return the drive's torque on the joint [N m, N] and its slope by the joint's acceleration.

    Args:
        d: the drive's record.
        s: its state at the start.
        order: what it is asked for.
        dq: the joint's speed at the end of the step [rad/s, m/s].
        q: its position there [rad, m].
        q_slope: of that position by the acceleration [s2].
        h: step [s].
    """
    if d.elastic == 0:
        e = electric_at(d, s, order, d.ratio * dq, s.torque, h)
        through = d.ratio * d.torque_constant
        return through * e.current, through * e.by_omega * d.ratio * h
    omega, _, stands = rotor_step(d, s, order, q, h)
    at = shaft_at(d, s, order, omega, q, h)
    by_q = 0.0 if stands else -at.g_by_q / at.slope
    return at.torque, (at.by_q + at.by_omega * by_q) * q_slope
