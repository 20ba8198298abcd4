"""Drives at rest and in balance: springs hold the weight, currents and integrators stand. Compiled."""

from typing import Any

from numba import njit

from hil.common.arrays import Array
from sim.drives.drive import CASCADE, OFF
from sim.drives.spring import twist_of


@njit(cache=True)
def rest(drives: Any, states: Any, q: Array, torque: Array) -> None:
    """Write states in which joints at q hold torques [N m, N], shape (n,), with cold motors at rest.

    A cascade's integrator is such that its reference of the current is the one needed, with q as reference;
    the joints begin at rest, whatever the controllers do then.
    """
    for i in range(q.shape[0]):
        d, s = drives[i], states[i]
        sag = twist_of(d, torque[i]) if d.elastic != 0 else 0.0
        s.q, s.dq, s.ddq = q[i], 0.0, 0.0
        s.theta, s.omega = d.ratio * (q[i] + sag), 0.0
        s.torque, s.motor_friction, s.joint_friction, s.end_stop = torque[i], 0.0, 0.0, 0.0
        needed = torque[i] / (d.ratio * d.torque_constant)
        if d.controller == OFF:
            needed = 0.0
        s.current, s.reference = needed, needed
        s.voltage = s.voltage_integral = d.resistance * needed
        s.power = s.voltage * needed
        s.speed_integral = 0.0
        if d.controller == CASCADE:
            known = needed if d.gravity_model != 0 else 0.0
            behind = 0.0 if d.gravity_model != 0 else -d.ratio * sag
            s.speed_integral = (needed - known) / d.velocity_gain - d.position_gain * behind
        s.winding, s.housing, s.brake_timer = 0.0, 0.0, 0.0
        s.braked = 0
        s.electric, s.copper, s.friction_heat = 0.0, 0.0, 0.0
        s.damper_heat, s.core_heat, s.stop_heat = 0.0, 0.0, 0.0
