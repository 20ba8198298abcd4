"""How much the wrench must change at rest: against wrenches that are made of the emulation's parts."""

import numpy as np
import pytest

from bench.fidelity import changed
from hil.analysis.configured_noise import force_noise, mean_noise
from hil.analysis.figures.explained_rest import ExplainedRest
from hil.analysis.report.rest_noise import noise_of
from hil.loop.lockstep import LockStep
from hil.loop.trace.fields import trace_from
from hil.wrench.worth.bound import Swing
from tests.hil.analysis.report.synthetic_run import quiet_configuration
from tests.hil.loop.synthetic_trace import quiet_arrays


def without(c, **errors):
    """The configuration with nothing wrong with the wrench but what is named."""
    nothing = {"noise_force": 0.0, "noise_torque": 0.0, "offset_gradient_force": 0.0}
    nothing |= {"offset_gradient_torque": 0.0, "motion_noise": False}
    c = changed(c, "emulator.wrench", **(nothing | errors))
    return changed(c, "mockup", uncompensated=errors and 0.0)


def explained(arrays, c) -> np.ndarray:
    trace = trace_from(arrays)
    return ExplainedRest(trace, c).within(np.zeros(len(trace.t), int)).mean


def moving(path) -> dict:
    """A body, its centre at the tcp, whose place is a function of time."""
    arrays = quiet_arrays(4.0)
    arrays["p_world_object_arm"] = path(arrays["t"][:, None]) * np.array([1.0, 0.0, 0.0])
    return arrays


def test_white_noise_at_the_tcp_is_more_at_the_centre():
    """Drawn force and torque about the tcp, moved to a centre 0.15 m away: the mean of all six axes."""
    c = without(quiet_configuration(), noise_force=0.1, noise_torque=0.03)
    rng, lever = np.random.default_rng(4), c.object.position
    force, torque = 0.1 * rng.standard_normal((200_000, 3)), 0.03 * rng.standard_normal((200_000, 3))
    about_centre = (torque - np.cross(lever, force)) / c.filter.length
    drawn = np.mean(np.hstack([force, about_centre]) ** 2)
    assert mean_noise(c, 1.0).white == pytest.approx(drawn, rel=0.01)
    assert force_noise(c.emulator.wrench).white == pytest.approx(0.01)
    assert explained(quiet_arrays(4.0), c) == pytest.approx(drawn, rel=0.01)


def test_an_offset_that_moves_with_the_pose_changes_with_the_square_of_the_way():
    """0.1 m/s through 10 N/m is 1 N/s of force: half its square over the lag, of three of six axes."""
    c = changed(without(quiet_configuration(), offset_gradient_force=10.0), "object", position=np.zeros(3))
    found = explained(moving(lambda t: 0.1 * t), c)
    lags = 0.002 * 2.0 ** np.arange(8)
    assert found == pytest.approx(0.5 * (1.0 * lags) ** 2 / 6.0, rel=1e-6)


def test_missed_inertia_shows_with_the_change_of_acceleration():
    """A sine of 1 m/s2 at 1 Hz: 0.5 kg of it, half the mean square of its differences, of one of six axes."""
    w = 2.0 * np.pi
    c = without(quiet_configuration(), offset_gradient_force=0.0)
    c = changed(c, "mockup", mass=5.0, uncompensated=0.1)
    found = explained(moving(lambda t: np.sin(w * t) / w**2), c)
    lags = 0.002 * 2.0 ** np.arange(8)
    force = 0.5 * (1.0 - np.cos(w * lags)) * 0.5**2 / 6.0
    assert found[3:] == pytest.approx(force[3:], rel=0.08)  # no whole number of periods


def test_motion_noise_follows_the_square_of_the_speed():
    """At 20 mm/s of 50 it is 0.16 of that at 60."""
    c = without(quiet_configuration(), motion_noise=True, motion_noise_force=0.35)
    slow, fast = (explained(moving(lambda t, v=v: v * t), c) for v in (0.02, 0.06))
    assert slow == pytest.approx(0.16 * fast, rel=1e-3)
    assert fast == pytest.approx(mean_noise(c, 1.0).semivariance(0.002 * 2.0 ** np.arange(8)), rel=1e-6)


@pytest.fixture(scope="module")
def run():
    """30 s of the push trial with motion noise."""
    c = changed(quiet_configuration(), "emulator.wrench", motion_noise=True)
    return LockStep(c).run(30.0), c


def test_the_emulated_arm_is_as_noisy_as_its_configuration_says(run):
    """And 1.5 times the motion noise is seen as such: more than the certificate excuses."""
    trace, c = run
    swing = Swing.of(c.detector)
    assert noise_of(trace, c).excess(swing) == pytest.approx(1.0, abs=0.15)
    told = c.emulator.wrench.motion_noise_force / 1.5
    louder = noise_of(trace, changed(c, "emulator.wrench", motion_noise_force=told)).excess(swing)
    assert 1.3 < louder < 1.65
