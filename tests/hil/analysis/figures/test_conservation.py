"""Drifts of energy and angular momentum on motions with known ones."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.analysis.figures.conservation import drifts
from hil.loop.trace.fields import trace_from
from tests.hil.loop.synthetic_trace import MASS, quiet_arrays

UNEQUAL = np.diag([2.0, 3.0, 4.0])


def moving_arrays(duration: float = 2.0) -> dict:
    """A body in steady flight and steady spin about its own axis y, which is principal."""
    arrays = quiet_arrays(duration)
    arrays["twist_world_object_sim"][:] = [0.1, 0.0, 0.05, 0.0, 0.3, 0.0]
    half = 0.15 * arrays["t"]
    arrays["quat_world_object_sim"] = np.c_[np.cos(half), 0 * half, np.sin(half), 0 * half]
    return arrays


def test_steady_motion_has_no_drift():
    """Constant velocity and a spin about a principal axis keep both."""
    energy, momentum = drifts(trace_from(moving_arrays()))
    assert energy < 1e-14
    assert momentum < 1e-14


def test_a_torque_free_symmetric_top_keeps_both():
    """Precession of a symmetric top in closed form: energy and momentum constant though omega turns."""
    arrays = quiet_arrays(3.0)
    arrays["inertia_object"] = np.diag([2.0, 2.0, 3.0])
    t = arrays["t"]
    L = np.array([0.0, 0.0, 2.4])
    tilt, precession = 0.5, 2.4 / 2.0
    nutation = (1.0 / 3.0 - 1.0 / 2.0) * 2.4 * np.cos(tilt)
    R = (
        Rotation.from_euler("z", (precession * t)[:, None])
        * Rotation.from_euler("x", tilt)
        * Rotation.from_euler("z", (nutation * t)[:, None])
    )
    arrays["quat_world_object_sim"] = R.as_quat(scalar_first=True)
    omega = R.apply(R.inv().apply(np.tile(L, (len(t), 1))) / [2.0, 2.0, 3.0])
    arrays["twist_world_object_sim"][:, 3:] = omega
    assert np.ptp(omega[:, 0]) > 0.1
    energy, momentum = drifts(trace_from(arrays))
    assert energy < 1e-13
    assert momentum < 1e-13
    arrays["quat_world_object_sim"][:] = [1.0, 0.0, 0.0, 0.0]  # a wrong attitude must not pass
    assert drifts(trace_from(arrays))[1] > 1e-2


def test_a_known_drift_comes_out():
    """Speed grows by 1 % in a run: energy by 2.01 %; spin by 0.5 %: momentum by 0.5 %."""
    arrays = moving_arrays()
    grows = np.linspace(1.0, 1.01, len(arrays["t"]))[:, None]
    arrays["twist_world_object_sim"][:, 3:] = 0.0
    arrays["twist_world_object_sim"][:, :3] *= grows
    energy, momentum = drifts(trace_from(arrays))
    assert energy == pytest.approx(1.01**2 - 1.0, rel=1e-9)
    assert momentum is None
    arrays = moving_arrays()
    arrays["twist_world_object_sim"][:, 3:] *= np.sqrt(grows)
    assert drifts(trace_from(arrays))[1] == pytest.approx(np.sqrt(1.01) - 1.0, rel=1e-9)


def test_momentum_is_a_vector():
    """A spin that only changes its direction by 0.01 rad has drifted by 2 sin(0.005)."""
    arrays = moving_arrays()
    arrays["twist_world_object_sim"][500:, 3:] = [0.3 * np.sin(0.01), 0.3 * np.cos(0.01), 0.0]
    energy, momentum = drifts(trace_from(arrays))
    assert energy < 1e-12
    assert momentum == pytest.approx(2.0 * np.sin(0.005), rel=1e-9)


def test_a_bounce_counts_for_energy_but_not_within_it():
    """In contact energy dips (ignored); after it 0.7 % is missing (found); the spin may turn round."""
    arrays = moving_arrays()
    twist = arrays["twist_world_object_sim"]
    twist[400:550] *= 0.3
    twist[550:] *= -np.sqrt(0.993)
    arrays["contact_sim"][400:550] = True
    energy, momentum = drifts(trace_from(arrays))
    assert energy == pytest.approx(0.007, rel=1e-9)
    assert momentum < 1e-12


def test_an_impulse_opens_a_new_stretch():
    """A push doubles the velocity as its slice is taken in: no drift; without a slice it is one."""
    arrays = moving_arrays()
    arrays["twist_world_object_sim"][500:] *= 2.0
    assert drifts(trace_from(arrays))[0] == pytest.approx(3.0)
    arrays["slice_t"] = np.array([0.99])
    energy, momentum = drifts(trace_from(arrays))
    assert energy < 1e-12
    assert momentum < 1e-12


def test_a_new_epoch_opens_a_new_stretch_and_standing_is_left_out():
    """Floating that begins anew has another energy; while STOPPED the body has none."""
    arrays = moving_arrays()
    arrays["epoch"][500:] = 2
    arrays["twist_world_object_sim"][500:] *= 3.0
    arrays["state"][:100] = "READY"
    arrays["twist_world_object_sim"][:100] = 0.0
    energy, momentum = drifts(trace_from(arrays))
    assert energy < 1e-12
    assert momentum < 1e-12


def test_a_body_at_rest_has_nothing_to_drift():
    """No energy, no momentum: None, not a division by zero."""
    assert drifts(trace_from(quiet_arrays())) == (None, None)


def test_inertia_is_taken_in_object_axes():
    """Spin about world x of a body turned by 90 degrees about z: energy is that about its -y axis."""
    arrays = quiet_arrays()
    arrays["inertia_object"] = UNEQUAL
    arrays["quat_world_object_sim"][:] = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
    arrays["twist_world_object_sim"][:, 3] = 1.0
    arrays["twist_world_object_sim"][250:, 0] = 0.01
    energy, _ = drifts(trace_from(arrays))
    assert energy == pytest.approx(0.5 * MASS * 1e-4 / (0.5 * 3.0), rel=1e-9)


def test_a_push_that_came_while_rows_are_missing_is_no_drift():
    """The simulation stood for 150 ms: its rows are left out, the slice was told 100 ms before the next one.

    Half as fast again behind the hole is 1.25 times the energy more: the push's, which no row shows.
    """
    arrays = moving_arrays(3.0)
    t = arrays["t"]
    arrays["twist_world_object_sim"][t >= 1.15] *= 1.5
    arrays["slice_t"] = np.array([1.02, 1.03, 1.04])
    kept = (t < 1.0) | (t >= 1.15)
    holed = {key: v[kept] if np.shape(v)[:1] == t.shape else v for key, v in arrays.items()}
    energy, momentum = drifts(trace_from(holed))
    assert energy < 1e-14 and momentum < 1e-14
    told = arrays | {"slice_t": np.empty(0)}  # a change that nothing explains is one, with all rows there
    assert drifts(trace_from(told))[0] == pytest.approx(1.25)


def test_a_push_that_a_simulation_takes_in_late_is_no_drift():
    """However long the simulation stands and whenever meanwhile, or just before, the push is told.

    Its last state counts for 50 ms, without the push, which was on its way for up to 3 ms when it was made.
    """
    arrays = moving_arrays()
    t = arrays["t"]
    for stall in np.arange(0.04, 0.1, 0.004):
        behind = t >= 1.0 + stall
        twist = arrays["twist_world_object_sim"] * np.where(behind, 1.5, 1.0)[:, None]
        kept = (t <= 1.0 + 0.05) | behind
        for told in np.arange(0.997, 1.0 + stall, 0.001):
            rows = arrays | {"twist_world_object_sim": twist}
            rows = {key: v[kept] if np.shape(v)[:1] == t.shape else v for key, v in rows.items()}
            energy, momentum = drifts(trace_from(rows | {"slice_t": np.array([told])}))
            assert energy < 1e-12 and momentum < 1e-12, f"stood for {stall:.3f} s, told at {told:.3f} s"
