"""The state of a drive, as a record that the kernels write."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_FIELDS = (
    "q dq ddq theta omega current voltage_integral speed_integral winding housing "  # motion, amplifier, heat
    "torque motor_friction joint_friction end_stop voltage reference power "  # of the last step, for showing
    "brake_timer "  # [s] since it was told to close
    "electric copper friction_heat damper_heat core_heat stop_heat"  # [J] since the beginning
).split()
STATE = np.dtype([(name, np.float64) for name in _FIELDS] + [("braked", np.int64)])
States = NDArray[Any]  # of STATE, shape (n,)
