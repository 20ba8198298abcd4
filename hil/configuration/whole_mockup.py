"""What load data may miss of the held mock-up: all of it, and no more than twice that.

What is taken out of the wrench goes by the arm's own acceleration. More than the mock-up has would feed the
arm's motion back to it as pushes.
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Mockup

MOST = 2.0  # times the whole mock-up: the finding has its interval, and load data may be of a heavier one
KEYS = ("mass_kg", *["moment_kg_mm"] * 3, *["inertia_kg_m2"] * 6)
PLACES = ("", *[f"[{k}]" for k in range(3)], *[f"[{k}]" for k in range(6)])
SCALES = (1.0, *[1e3] * 3, *[1.0] * 6)  # from SI to the units of the keys


def whole_mockup(mass: float, edge: float, inertia: Array) -> Array:
    """Return how large each of the ten parameters of a finding is for all of a mock-up, shape (10,).

    Args:
        mass: [kg].
        edge: of the cube [m]: its centre of mass may lie half of that from the object's.
        inertia: [kg m2], shape (3,); products of inertia count as half of its mean.
    """
    return np.array([mass, *[0.5 * mass * edge] * 3, *inertia, *[0.5 * float(np.mean(inertia))] * 3])


def beyond_mockup(mockup: Mockup) -> list[str]:
    """Return what was found that no mock-up's load data can miss, a sentence each."""
    if mockup.found is None:
        return []
    most = MOST * whole_mockup(mockup.mass, mockup.edge, mockup.inertia)
    rows = zip(KEYS, PLACES, SCALES, mockup.found.parameters.tolist(), most.tolist(), strict=True)
    faults = []
    if mockup.found.bias is None and (mockup.found.weighs or mockup.found.at_rest):
        faults.append(
            "mockup.found.bias_n is missing, beside which weighs, bias_torque_n_m and slopes count: "
            "calibrate anew (`zerog calibrate load`), or take these out too"
        )
    return faults + [
        f"mockup.found.{key}{place} = {scale * value:.6g} is more than load data can miss of this "
        f"mock-up (+-{scale * bound:.6g}, twice of it): calibrate anew (`zerog calibrate load`), or "
        "mend the controller's load data"
        for key, place, scale, value, bound in rows
        if not abs(value) <= bound
    ]
