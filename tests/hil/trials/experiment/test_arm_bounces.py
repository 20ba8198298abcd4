"""The arm's restitution at walls whose bounces it rounds off: two moving averages of a known path."""

import dataclasses

import numpy as np
import pytest

from hil.loop.trace.fields import Trace, trace_from
from hil.trials.experiment.arm_bounces import arm_restitutions
from tests.hil.loop.synthetic_trace import DT, quiet_arrays

SPEED = 0.1


def bounced(restitution: float, instants: list[float], arm: float | None = None) -> Trace:
    """A body that meets a wall at each instant; the arm has a restitution of its own, and rounds."""
    arrays = quiet_arrays(duration=2.0)
    t = arrays["t"]
    for who, e in (
        ("sim", restitution),
        ("ideal", restitution),
        ("arm", restitution if arm is None else arm),
    ):
        velocity = np.full(len(t), SPEED)
        for instant in instants:
            velocity[t > instant] *= -e
        position = np.cumsum(velocity) * DT
        if who == "arm":
            for length in (0.15, 0.05):  # as docs/theory.md says of walls, done by brute force
                window = np.ones(round(length / DT) // 2 * 2 + 1)
                padded = np.pad(position, len(window) // 2, mode="reflect", reflect_type="odd")
                position = np.convolve(padded, window / window.sum(), mode="valid")
        else:
            arrays[f"twist_world_object_{who}"][:, 0] = velocity
        arrays[f"p_world_object_{who}"][:, 0] = position
    for instant in instants:
        arrays["contact_sim"][np.searchsorted(t, instant)] = True
    return trace_from(arrays)


@pytest.mark.parametrize("restitution", [0.5, 0.8, 1.0])
def test_a_rounded_bounce_keeps_its_restitution(restitution: float) -> None:
    """0.1 s of rounding on both sides does not show."""
    assert arm_restitutions(bounced(restitution, [1.0])) == pytest.approx([restitution], abs=1e-6)


def test_an_arm_that_bounces_differently_shows_its_own() -> None:
    """The simulated body has 0.8, the arm 0.6: 0.6 is told."""
    assert arm_restitutions(bounced(0.8, [1.0], arm=0.6)) == pytest.approx([0.6], abs=1e-6)


def test_what_cannot_be_told_is_empty() -> None:
    """Two bounces within 0.2 s, one at the trace's end, one with a push beside it."""
    assert np.isnan(arm_restitutions(bounced(0.8, [1.0, 1.2]))).all()
    assert np.isnan(arm_restitutions(bounced(0.8, [1.9]))).all()
    trace = bounced(0.8, [1.0])
    wrench = trace.wrench_true.copy()
    wrench[(trace.t > 1.05) & (trace.t < 1.1), 0] = 5.0
    assert np.isnan(arm_restitutions(dataclasses.replace(trace, wrench_true=wrench))).all()
    assert np.isfinite(arm_restitutions(bounced(0.8, [0.6, 1.4]))).all()
