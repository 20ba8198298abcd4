"""The force path's ratio against its closed form."""

import math

import numpy as np
import pytest
from scipy.linalg import eigvals
from scipy.spatial.transform import Rotation

from hil.configuration import Configuration
from hil.wrench.force_path import force_path_ratio


def changed(c: Configuration, body: dict, mockup: dict) -> Configuration:
    return c.model_copy(
        update={"object": c.object.model_copy(update=body), "mockup": c.mockup.model_copy(update=mockup)}
    )


@pytest.mark.parametrize(("mass", "inertia"), [(5.0, 0.01), (0.5, 0.4)])
def test_it_is_the_larger_of_the_ratios_of_mass_and_inertia(
    real_arm: Configuration, mass: float, inertia: float
) -> None:
    """Bodies with common axes: share times the largest of m / M and J_i / I_i."""
    mockup = {"mass": mass, "inertia": np.array([0.1, 1.0, 0.5]) * inertia, "uncompensated": 0.3}
    c = changed(real_arm, {"mass": 60.0, "inertia": np.array([3.0, 2.0, 4.0])}, mockup)
    expected = 0.3 * max(mass / 60.0, inertia * 0.1 / 3.0, inertia * 1.0 / 2.0, inertia * 0.5 / 4.0)
    assert force_path_ratio(c) == pytest.approx(expected, rel=1e-12)


def test_the_objects_axes_are_turned_into_the_tools(real_arm: Configuration) -> None:
    """About z by 90 degrees the moments about x and y change places; else as another library turns them."""
    mockup = {"mass": 1e-3, "inertia": np.array([1.0, 0.1, 0.1]), "uncompensated": 1.0}
    inertia = np.array([4.0, 2.0, 5.0])
    quarter = {"inertia": inertia, "rotvec": np.array([0.0, 0.0, math.pi / 2.0])}
    assert force_path_ratio(changed(real_arm, quarter, mockup)) == pytest.approx(1.0 / 2.0, rel=1e-12)
    rotvec = np.array([0.4, -1.1, 0.7])
    R = Rotation.from_rotvec(rotvec).as_matrix()
    expected = max(abs(eigvals(np.diag(mockup["inertia"]), R @ np.diag(inertia) @ R.T)))
    turned = changed(real_arm, {"inertia": inertia, "rotvec": rotvec}, mockup)
    assert force_path_ratio(turned) == pytest.approx(expected, rel=1e-12)
