"""The end of a step: a drive's state carried on, its heat, its account of energy. Compiled."""

from typing import Any

from numba import njit

from sim.drives.drive_step import Order, electric_at, rotor_step, shaft_at
from sim.drives.end_stop import stop_energy, stop_torque
from sim.drives.spring import mean_torque


@njit(cache=True)
def carry_on(
    d: Any, s: Any, order: Order, dq: float, q: float, friction: float, torque: float, h: float
) -> None:
    """Write a drive's state at the end of a step.

    Args:
        d: the drive's record.
        s: its state, of the start.
        order: what it was asked for.
        dq: the joint's speed at the end [rad/s, m/s].
        q: its position there [rad, m].
        friction: dry, of the joint; of a rigid gear the motor's with it [N m, N].
        torque: what passes the gear, if it is rigid [N m, N].
        h: step [s].
    """
    if d.elastic == 0:
        omega, dry, theta, passed = d.ratio * dq, 0.0, s.theta + d.ratio * (q - s.q), torque
        damper, viscous = 0.0, 0.0
    else:
        omega, dry, _ = rotor_step(d, s, order, q, h)
        theta, passed = s.theta + 0.5 * h * (s.omega + omega), shaft_at(d, s, order, omega, q, h).torque
        before, after = s.theta / d.ratio - s.q, theta / d.ratio - q
        damper = (passed - mean_torque(d, before, after)[0]) * (after - before)
        viscous = d.motor_viscous
    e = electric_at(d, s, order, omega, passed if d.elastic != 0 else s.torque, h)
    mid = 0.5 * (s.omega + omega)
    copper = order.resistance * e.current * e.current
    s.electric += h * e.voltage * e.current
    s.copper += h * copper
    s.damper_heat += damper
    s.friction_heat += h * (dry * mid + viscous * mid * mid)
    if not order.on:  # the winding is opened; what its field held is gone as heat
        s.core_heat += 0.5 * d.inductance * s.current * s.current
        s.current, s.voltage_integral, s.speed_integral = 0.0, 0.0, 0.0
    else:
        s.current = 2.0 * e.current - s.current
        if abs(e.voltage) < d.voltage_max:
            s.voltage_integral += h * d.loop_integral * (e.reference - e.current)
        if e.free:
            s.speed_integral += h * e.error / d.integral_time
    s.voltage, s.power, s.reference = e.voltage, e.voltage * e.current, e.reference
    s.theta, s.omega, s.torque = theta, omega, passed
    s.motor_friction, s.joint_friction = dry, friction
    s.brake_timer = s.brake_timer + h if s.braked != 0 else 0.0
    _warm(d, s, copper, h)


@njit(cache=True)
def stopped(d: Any, s: Any, q: float, h: float) -> float:
    """Write the end stops' torque and heat of a step that ends at q [rad, m]; return the torque [N m, N]."""
    s.end_stop = stop_torque(d, s.q, q, h)[0]
    if s.end_stop != 0.0 or q < d.lower or q > d.upper:
        s.stop_heat -= s.end_stop * (q - s.q) + stop_energy(d, q) - stop_energy(d, s.q)
    return float(s.end_stop)


@njit(cache=True)
def _warm(d: Any, s: Any, heat: float, h: float) -> None:
    """Carry the two nodes on by the implicit midpoint rule, with the step's heat [W]."""
    a, b = 1.0 / d.winding_resistance, 1.0 / d.housing_resistance
    # middle temperatures w, t: 2 C_w (w - w0)/h = P - a (w - t), 2 C_h (t - t0)/h = a (w - t) - b t
    cw, ch = 2.0 * d.winding_capacity / h, 2.0 * d.housing_capacity / h
    m11, m12, m22 = cw + a, -a, ch + a + b
    r1, r2 = cw * s.winding + heat, ch * s.housing
    det = m11 * m22 - m12 * m12
    s.winding += 2.0 * ((r1 * m22 - m12 * r2) / det - s.winding)
    s.housing += 2.0 * ((m11 * r2 - m12 * r1) / det - s.housing)
