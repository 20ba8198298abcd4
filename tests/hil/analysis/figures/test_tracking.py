"""Distance between arm and simulation: constant offsets, what is left out, bounces."""

import numpy as np
import pytest

from hil.analysis.figures.tracking import distances, tracking_figures
from hil.loop.trace.fields import trace_from
from tests.hil.loop.synthetic_trace import quiet_arrays


def row(t: float) -> int:
    return round(t / 0.002)


def test_a_constant_offset_is_its_own_rms():
    """3 mm by 4 mm aside and 0.1 deg about z: 5 mm and 0.1 deg."""
    arrays = quiet_arrays(5.0)
    arrays["p_world_object_arm"] += [0.003, 0.004, 0.0]
    half = np.deg2rad(0.05)
    arrays["quat_world_object_arm"][:] = [-np.cos(half), 0.0, 0.0, -np.sin(half)]  # sign must not matter
    figures = tracking_figures(trace_from(arrays))
    assert figures["free_rms_mm"] == pytest.approx(5.0)
    assert figures["free_rms_deg"] == pytest.approx(0.1)
    assert figures["bounce_max_mm"] is None


def test_an_alternating_offset_gives_the_root_of_the_mean_square():
    """Half of the rows 2 mm off, half of them 0: rms sqrt(2) mm."""
    arrays = quiet_arrays(4.0)
    arrays["p_world_object_arm"][::2, 1] = 0.002
    assert tracking_figures(trace_from(arrays))["free_rms_mm"] == pytest.approx(np.sqrt(2.0))


def test_angles_keep_their_digits_near_zero():
    """The angle between attitudes 1e-9 rad apart, both turned far away, is right to 1e-15."""
    arrays = quiet_arrays(0.01)
    quat = np.array([0.5, 0.5, -0.5, 0.5])
    arrays["quat_world_object_sim"][:] = quat
    turn = np.array([1.0, 0.0, 0.5e-9, 0.0])
    w, v = quat[0], quat[1:]
    arrays["quat_world_object_arm"][:] = np.r_[
        w * turn[0] - v @ turn[1:], w * turn[1:] + turn[0] * v + np.cross(v, turn[1:])
    ]
    _, angle = distances(trace_from(arrays))
    assert angle == pytest.approx(1e-9, abs=1e-15)


@pytest.mark.parametrize(
    ("at", "counted"), [(1.9, False), (2.1, True), (5.0, False), (6.0, False), (6.2, True), (7.0, False)]
)
def test_what_is_left_out(at, counted):
    """A 1 m error counts only outside the first 2 s, a push and the second after it, and a hold."""
    arrays = quiet_arrays(8.0)
    arrays["push_t_start"], arrays["push_t_end"] = np.array([4.9]), np.array([5.1])
    arrays["push_value"] = np.ones((1, 6))
    arrays["state"][row(6.9) : row(7.1)] = "HOLDING"
    arrays["p_world_object_arm"][row(at), 0] = 1.0
    assert (tracking_figures(trace_from(arrays))["free_rms_mm"] > 1.0) == counted


def test_each_new_epoch_has_its_own_beginning():
    """Floating that begins anew, even without a row in between, starts the 2 s again; a hold does not."""
    arrays = quiet_arrays(8.0)
    arrays["epoch"][row(4.0) :] = 2
    arrays["p_world_object_arm"][row(5.0), 0] = 1.0
    assert tracking_figures(trace_from(arrays))["free_rms_mm"] == 0.0
    arrays["epoch"][:] = 1
    arrays["state"][row(3.9) : row(4.0)] = "HOLDING"
    assert tracking_figures(trace_from(arrays))["free_rms_mm"] > 0.0


def test_contacts_count_for_the_bounce_only():
    """2 mm in a contact and 1 mm 0.1 s after it: bounce 2 mm; 3 mm long after is free flight."""
    arrays = quiet_arrays(6.0)
    arrays["contact_sim"][row(3.0) : row(3.3)] = True
    arrays["p_world_object_arm"][row(3.1), 0] = 0.002
    figures = tracking_figures(trace_from(arrays))
    assert figures["bounce_max_mm"] == pytest.approx(2.0)
    assert figures["free_rms_mm"] == 0.0
    arrays["p_world_object_arm"][row(3.4), 0] = 0.0025
    arrays["p_world_object_arm"][row(4.0), 0] = 0.003
    figures = tracking_figures(trace_from(arrays))
    assert figures["bounce_max_mm"] == pytest.approx(2.5)
    assert figures["free_rms_mm"] > 0.0


def test_a_run_that_never_floats_has_nothing_to_measure():
    """STOPPED throughout: all None."""
    arrays = quiet_arrays(3.0)
    arrays["state"][:] = "STOPPED"
    assert set(tracking_figures(trace_from(arrays)).values()) == {None}
