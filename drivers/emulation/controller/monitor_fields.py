"""The fields of a monitor datagram that change every cycle, filled in at one go (compiled)."""

from numba import njit

from drivers.fri.layout import MONITOR_FLOATS
from hil.common.arrays import Array

Q_MEASURED = MONITOR_FLOATS["q_measured"].start
Q_COMMANDED = MONITOR_FLOATS["q_commanded"].start
Q_OFFSET = MONITOR_FLOATS["q_offset"].start
TORQUE_MEASURED = MONITOR_FLOATS["torque_measured"].start
TORQUE_EXTERNAL = MONITOR_FLOATS["torque_external"].start
WRENCH = MONITOR_FLOATS["wrench_external"].start
JACOBIAN = MONITOR_FLOATS["jacobian"].start
GRAVITY = MONITOR_FLOATS["gravity"].start


@njit(cache=True)
def fill_cycle_fields(
    floats: Array, q: Array, q_krl: Array, reference: Array, wrench: Array, jacobian: Array
) -> None:
    """Write positions, wrench, Jacobian and the joint torques that follow from them.

    Args:
        floats: the datagram's float block (182,), written; its gravity torques are read.
        q: measured joint positions [rad], (7,).
        q_krl: the controller's own share of the command [rad], (7,).
        reference: the total command [rad], (7,).
        wrench: estimate at the tcp, base axes [N, N m], (6,).
        jacobian: of the tcp, base axes, (6, 7).
    """
    for i in range(7):
        floats[Q_MEASURED + i] = q[i]
        floats[Q_COMMANDED + i] = q_krl[i]
        floats[Q_OFFSET + i] = reference[i] - q_krl[i]
        torque = 0.0
        for j in range(6):
            torque += jacobian[j, i] * wrench[j]
            floats[JACOBIAN + 7 * j + i] = jacobian[j, i]
        floats[TORQUE_EXTERNAL + i] = torque
        floats[TORQUE_MEASURED + i] = floats[GRAVITY + i] - torque


@njit(cache=True)
def fill_wrench(floats: Array, wrench: Array, sign: float, in_tool_axes: bool, R_base_tcp: Array) -> None:
    """Write the estimate (6,), given in base axes, in the frame and with the sign of the interface."""
    for i in range(6):
        value = wrench[i]
        if in_tool_axes:
            value = 0.0
            for j in range(3):
                value += R_base_tcp[j, i % 3] * wrench[3 * (i // 3) + j]
        floats[WRENCH + i] = sign * value


@njit(cache=True)
def first_beyond(values: Array, reference: Array, bound: Array) -> int:
    """Return the first index where `|values - reference|` is not within `bound` (NaN is not), or -1."""
    for i in range(values.shape[0]):
        if not abs(values[i] - reference[i]) <= bound[i]:
            return i
    return -1


@njit(cache=True)
def first_outside(values: Array, lower: Array, upper: Array) -> int:
    """Return the first index where a value is not from `lower` to `upper` (NaN is not), or -1."""
    for i in range(values.shape[0]):
        if not lower[i] <= values[i] <= upper[i]:
            return i
    return -1
