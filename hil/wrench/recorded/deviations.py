"""How restless a recorded wrench is while nobody touches the arm, as the configuration wants to know it."""

import numpy as np

from hil.common.arrays import Array
from hil.wrench.recorded.reading import Recording


def deviations_line(data: Recording, quiet_s: float) -> str:
    """Return the standard deviations of the untouched start, and the keys that they belong to.

    Of each axis about its mean; the key is one for the three axes: their root mean square.

    Args:
        data: the recording.
        quiet_s: length of the untouched start [s].
    """
    each = np.std(data.wrench[data.t - data.t[0] < quiet_s], axis=0)
    force, torque = (float(np.sqrt(np.mean(part**2))) for part in (each[:3], each[3:]))
    return (
        f"untouched: standard deviations {_axes(each[:3])} N, {_axes(each[3:])} N m: "
        f"detector.noise_force_n = {force:.3g}, detector.noise_torque_n_m = {torque:.3g}"
    )


def _axes(values: Array) -> str:
    return " ".join(f"{value:.3g}" for value in values)
