"""By which share the force path may make impulses too small: missed inertia (docs/theory.md, equation 46)."""

from hil.configuration import Configuration

BIAS = 0.01  # missed inertia, and a little
CALIBRATED = 0.003  # what is left once `zerog calibrate load` has found it


def force_path_bias(c: Configuration) -> float:
    """Return the share of an impulse that is excused.

    Of what was found of the load not less than its uncertainty: a poor calibration earns no better bound.
    """
    found = c.mockup.found
    if found is None:
        return BIAS
    return min(BIAS, max(CALIBRATED, found.mass_interval / c.object.mass))
