"""Bounces of bodies whose motion is known in closed form, and accelerations of known parabolas."""

import math

import numpy as np
import pytest

from hil.analysis.figures.bounces import bounce_figures, bounces, restitution_errors
from hil.analysis.figures.residual_acceleration import (
    acceleration_figures,
    free_segments,
    residual_accelerations,
)
from hil.common.geometry import quat_from_rotvec
from hil.configuration.schema import Stops
from hil.loop.trace.fields import trace_from
from tests.hil.analysis.report.conftest import CUBE
from tests.hil.loop.synthetic_trace import DT, MASS, quiet_arrays

INERTIA = np.diag([1.0, 2.0, 2.5])
HIT, CONTACT = 1.0, 0.3  # [s]


def bounced(speed=0.05, restitution=0.8, duration=CONTACT, impulse_at=None, axis=0):
    """Arrays of a body that flies against an obstacle and back.

    With a lever `impulse_at` [m] the obstacle's impulse acts there, along an axis: the body spins after it.
    """
    arrays = quiet_arrays(3.0)
    arrays["inertia_object"] = INERTIA
    t, n = arrays["t"], np.eye(3)[axis]
    inside = (t > HIT - 1e-9) & (t < HIT + duration + 1e-9)
    twist = np.zeros((len(t), 6))
    twist[:, :3] = -speed * n
    lever = np.zeros(3) if impulse_at is None else np.asarray(impulse_at)
    turned = np.linalg.solve(INERTIA, np.cross(lever, n))
    mobility = 1.0 / MASS + n @ np.cross(turned, lever)
    size = (1.0 + restitution) * speed / mobility  # Newton's law at the point that is touched
    change = np.concatenate([size / MASS * n, size * turned])
    # half a period of a spring; how the velocity goes from one to the other does not matter
    share = np.clip((t - HIT) / max(duration, 1e-9), 0.0, 1.0)
    share = 0.5 * (1.0 - np.cos(np.pi * share)) if duration else (t > HIT - 1e-9).astype(float)
    twist += share[:, None] * change
    arrays["twist_world_object_sim"] = twist
    arrays["contact_sim"] = inside if duration else np.abs(t - HIT) < DT / 2
    arrays["p_world_object_sim"] = np.cumsum(twist[:, :3], axis=0) * DT
    return arrays


@pytest.mark.parametrize("restitution", [0.2, 0.8, 1.0])
@pytest.mark.parametrize("duration", [0.0, CONTACT])
@pytest.mark.parametrize("lever", [None, (0.15, 0.1, -0.15)])
def test_restitution_is_newtons(restitution, duration, lever) -> None:
    """At the centre and at a corner, at once and over a spring's half period: what the law says."""
    (bounce,) = bounces(trace_from(bounced(0.05, restitution, duration, lever)))
    assert bounce.restitution == pytest.approx(restitution, abs=1e-9)
    assert bounce.t == pytest.approx(HIT + duration / 2, abs=2 * DT)
    np.testing.assert_allclose(bounce.direction[:3], [1.0, 0.0, 0.0], atol=1e-12)
    if lever is None:
        assert bounce.speed_before == pytest.approx(0.05)
        assert bounce.speed_after == pytest.approx(0.05 * restitution)


def test_a_stop_of_the_swing_that_keeps_the_energy_has_one() -> None:
    """A spin that is turned back about an axis of its own: 1, whatever the inertia there."""
    arrays = bounced(0.05, 1.0)
    twist = np.zeros((len(arrays["t"]), 6))
    twist[:, 4] = np.where(arrays["t"] < HIT + CONTACT / 2, 0.2, -0.2)
    arrays["twist_world_object_sim"] = twist
    (bounce,) = bounces(trace_from(arrays))
    assert bounce.restitution == pytest.approx(1.0, abs=1e-12)
    assert bounce.speed_before == pytest.approx(0.2 * math.sqrt(INERTIA[1, 1] / MASS))


def test_what_is_no_bounce_of_its_own_is_left_out() -> None:
    """A slice within the contact, a touch at 0.1 mm/s, a contact that is not over at the end."""
    arrays = bounced()
    arrays["slice_t"] = np.array([HIT + 0.1])
    assert not bounces(trace_from(arrays))
    assert not bounces(trace_from(bounced(speed=1e-4)))
    arrays = bounced()
    arrays["contact_sim"] = arrays["t"] > HIT
    assert not bounces(trace_from(arrays))
    assert bounce_figures(trace_from(arrays)) == {
        "count": 0, "restitution_least": None, "restitution_most": None,
    }  # fmt: skip


def test_the_ideal_body_has_contacts_of_its_own() -> None:
    """Its velocity turns from 0.1 to -0.07 m/s: 0.7; a push within is no bounce."""
    arrays = bounced(0.05, 1.0)
    t = arrays["t"]
    arrays["contact_ideal"] = arrays["contact_sim"]
    arrays["twist_world_object_ideal"] = np.where(
        (t < HIT + CONTACT / 2)[:, None], [0, 0.1, 0, 0, 0, 0.0], [0, -0.07, 0, 0, 0, 0]
    )
    (ideal,) = bounces(trace_from(arrays), "ideal")
    assert ideal.restitution == pytest.approx(0.7)
    arrays["wrench_true"][t > HIT + 0.1, 0] = 1.0
    assert not bounces(trace_from(arrays), "ideal")


def test_errors_are_against_what_is_configured() -> None:
    """A bounce of 0.97 at a stop is 0.03 off; at a wall of 0.8 one of 0.79 0.01; both at once: none."""
    from hil.configuration import load_configuration
    from hil.configuration.schema import Scene

    c = load_configuration(CUBE)
    arrays = bounced(0.05, 0.97)
    touching = c.stops.centre - c.stops.half_extent * [1.01, 0.0, 0.0]
    upright = quat_from_rotvec(np.array([0.0, math.pi / 2, 0.0]))
    arrays["p_world_object_sim"][:] = np.where(arrays["contact_sim"][:, None], touching, c.stops.centre)
    arrays["quat_world_object_sim"][:] = upright
    assert restitution_errors(trace_from(arrays), c) == pytest.approx([0.03])
    arrays = bounced(0.05, 0.7)  # half of its change at once: a wall, while a stop is touched as well
    arrays["p_world_object_sim"][:] = np.where(arrays["contact_sim"][:, None], touching, c.stops.centre)
    arrays["quat_world_object_sim"][:] = upright
    arrays["twist_world_object_sim"][arrays["t"] > HIT + 0.1, 0] += 0.5 * 0.05 * 1.7
    assert len(bounces(trace_from(arrays))) == 1 and not len(restitution_errors(trace_from(arrays), c))
    wall = {"stops": Stops(enabled=False), "scene": Scene(file=CUBE, restitution=0.8)}
    arrays = bounced(0.05, 0.79, 0.0, (0.1, 0.15, 0.15))
    assert restitution_errors(trace_from(arrays), c.model_copy(update=wall)) == pytest.approx([0.01])


def flown(duration, acceleration, noise=0.0):
    """Arrays of an arm that flies along a parabola."""
    arrays = quiet_arrays(duration)
    t = arrays["t"]
    rng = np.random.default_rng(4)
    path = np.outer(t, [0.1, -0.05, 0.02]) + 0.5 * np.outer(t**2, acceleration)
    arrays["p_world_object_arm"] = path + noise * rng.normal(size=path.shape)
    return arrays


def test_residual_acceleration_is_the_parabolas() -> None:
    """To rounding without noise; white noise s moves it by sqrt(720) s / (T^2 sqrt(n))."""
    a = np.array([3e-3, -4e-3, 1.2e-2])
    (found,) = residual_accelerations(trace_from(flown(6.0, a)))
    assert found == pytest.approx(13e-3, rel=1e-9)
    sigma = math.sqrt(720.0) * 1e-4 / (4.0**2 * math.sqrt(2000))
    (found,) = residual_accelerations(trace_from(flown(6.0, a, 1e-4)))
    assert found == pytest.approx(13e-3, abs=3.0 * sigma)
    assert found != pytest.approx(13e-3, rel=1e-9)


def test_only_free_segments_of_a_second_count() -> None:
    """A contact with 0.2 s around it, the second after a push, the first two seconds afloat are cut out."""
    arrays = flown(10.0, [0.0, 0.0, 1e-3])
    t = arrays["t"]
    arrays["contact_sim"] = (t > 3.5 - 1e-9) & (t < 3.8)
    arrays["contact_sim"] |= (t > 4.5 - 1e-9) & (t < 4.7)
    arrays["push_t_start"], arrays["push_t_end"] = np.array([6.0]), np.array([6.1])
    arrays["push_value"] = np.zeros((1, 6))
    segments = [(t[first], t[end - 1]) for first, end in free_segments(trace_from(arrays))]
    np.testing.assert_allclose(segments, [(2.0, 3.3), (4.9, 6.0), (7.1, 10.0)], atol=2.5 * DT)
    figures = acceleration_figures(trace_from(arrays))
    assert figures["segments"] == 3 and figures["most_mm_s2"] == pytest.approx(1.0)
    assert acceleration_figures(trace_from(flown(2.5, [1.0, 0.0, 0.0])))["median_mm_s2"] is None
