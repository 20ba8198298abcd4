"""What a configuration's finding takes out of the wrench, in a sentence for `check` and report."""

import numpy as np

from hil.configuration import Configuration
from hil.configuration.frames import mockup_centre
from hil.configuration.sensor import has_own_sensor
from hil.wrench.load.consistency import pseudo_inertia
from hil.wrench.load.held import all_held


def taken_words(c: Configuration) -> str:
    """Return what is taken out beside the load data; empty if nothing was found."""
    found = c.mockup.found
    if found is None:
        return ""
    whole = all_held(c, mockup_centre(c))
    centre = ", ".join(f"{1e3 * x:.0f}" for x in whole[1:4] / whole[0]) if whole[0] > 0.0 else "-"
    told = f"held are {whole[0]:.2f} +- {found.mass_interval:.2f} kg, [{centre}] mm from the object's centre"
    if np.linalg.eigvalsh(pseudo_inertia(whole))[0] <= 0.0:
        told += "; with these numbers no body: calibrate anew (`zerog calibrate load`)"
    if has_own_sensor(c):
        return f"{told}; weight and inertia are taken out of the sensor's reading"
    if found.bias is None:
        return f"{told}; it was not weighed: inertia alone is taken out"
    slope = np.abs(found.slope).max()
    weight = "inertia, the missed weight" if found.weighs else "inertia"
    return f"{told}; {weight} and an offset of up to {slope:.1f} N/m over the place are taken out"
