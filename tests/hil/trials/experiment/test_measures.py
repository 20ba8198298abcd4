"""The cells of a row, on motions whose answers are known in closed form."""

import dataclasses

import numpy as np
import pytest

from hil.analysis.figures import figures
from hil.loop.trace.fields import Trace
from hil.trials.experiment.columns import BOUNCES, PUSHES, columns, expanded
from hil.trials.experiment.measures import Measured, measured
from tests.hil.loop.synthetic_trace import PushedRun
from tests.hil.trials.experiment.test_arm_bounces import bounced

STARTS = np.array([1.0, 3.0])
ENDS = STARTS + 0.05
CHANGE, SPIN = 0.05, 0.1  # m/s and rad/s that a push gives


def two_pushes(delay: float = 0.01) -> Trace:
    """Two equal pushes, 1.05 N s of which the detector sees of the first; the arm is late by a known time."""
    run = PushedRun(STARTS, ENDS, CHANGE, SPIN)
    run.set("arm", delay=delay)
    run.arrays |= {
        "impulse_id": np.array([1]),
        "impulse_t_start": STARTS[:1],
        "impulse_t_end": ENDS[:1],
        "impulse_t_centroid": STARTS[:1] + 0.025,
        "impulse_value": 1.05 * run.arrays["push_value"][:1],
        "impulse_deviation": np.array([0.01]),
        "impulse_sustained": np.array([False]),
        "impulse_ended": np.array([True]),
    }
    return run.trace()


def numbers(found: Measured, column: str) -> list[float]:
    return [float("nan") if row[column] is None else float(str(row[column])) for row in found.pushes]


def test_impulses_are_told_push_by_push() -> None:
    """True ones of both; the detected one is 5 % too large; the missed one leaves its place empty."""
    trace = two_pushes()
    found = measured(trace, figures(trace))
    true = 60.0 * CHANGE * np.array([0.6, 0.0, 0.8])
    for axis, value in zip("xyz", true, strict=True):
        assert numbers(found, f"impulse_true_{axis}_n_s") == pytest.approx([value, value])
        detected = numbers(found, f"impulse_detected_{axis}_n_s")
        assert detected[0] == pytest.approx(1.05 * value) and np.isnan(detected[1])
    assert numbers(found, "impulse_true_ry_n_m_s") == pytest.approx([3.0 * SPIN] * 2)
    assert numbers(found, "impulse_error")[0] == pytest.approx(0.05)
    counts = ("pushes", "pushes_detected", "pushes_missed", "impulses_false")
    assert [found.row[key] for key in counts] == [2, 1, 1, 0]


def test_velocities_before_and_after_are_those_of_the_motion() -> None:
    """0.4 changes before the first push, 1.4 after it, 2.4 after the second; the arm is late by 10 ms."""
    trace = two_pushes()
    found = measured(trace, figures(trace))
    for whose in ("", "_ideal"):
        before = numbers(found, f"velocity_before{whose}_x_mm_s")
        after = numbers(found, f"velocity_after{whose}_z_mm_s")
        assert before == pytest.approx([0.4 * 30.0, 1.4 * 30.0], rel=1e-6)
        assert after == pytest.approx([1.4 * 40.0, 2.4 * 40.0], rel=1e-6)
        spin = numbers(found, f"spin_after{whose}_y_deg_s")
        assert spin == pytest.approx(np.degrees([1.4 * SPIN, 2.4 * SPIN]).tolist(), rel=1e-6)
    assert numbers(found, "reaction_ms") == pytest.approx([10.0, 10.0], abs=0.1)
    assert numbers(found, "velocity_error_arm") == pytest.approx([0.0, 0.0], abs=1e-6)


def test_a_push_that_is_not_free_leaves_its_place_empty() -> None:
    """A contact behind the second push: its velocities are not judged, those of the first are."""
    trace = two_pushes()
    contact = trace.contact_sim.copy()
    contact[(trace.t > 3.1) & (trace.t < 3.15)] = True
    found = measured(trace := dataclasses.replace(trace, contact_sim=contact), figures(trace))
    for key in ("velocity_after_x_mm_s", "velocity_error_arm", "reaction_ms"):
        first, second = numbers(found, key)
        assert np.isfinite(first) and np.isnan(second)


def test_without_the_true_force_nothing_is_called_false() -> None:
    """A real arm: impulses are told, but not judged, and the row says why."""
    run = two_pushes()
    nobody = {"push_t_start": np.empty(0), "push_t_end": np.empty(0), "push_value": np.empty((0, 6))}
    trace = dataclasses.replace(run, **nobody)
    found = measured(trace, figures(trace), {"force": "a real arm"})
    assert (found.row["pushes"], found.row["pushes_missed"], found.row["impulses_false"]) == (
        None,
        None,
        None,
    )
    assert found.row["pushes_detected"] == 1
    assert numbers(found, "impulse_detected_x_n_s") == pytest.approx([1.05 * 60.0 * CHANGE * 0.6])
    assert found.row["not_measured"] == "a real arm"


def test_every_cell_has_its_column_and_every_column_its_cell() -> None:
    """The tables of columns are complete, and name nothing that is never written."""
    trace = two_pushes()
    found = measured(trace, figures(trace))
    identity = {"trial", "name", "repeat", "seed", "mode", "status", "problem"}
    assert set(found.row) | identity == set(columns([]))
    assert {"trial", *found.pushes[0]} == set(expanded(PUSHES))
    assert columns(["object.mass_kg"])[8] == "object.mass_kg"
    assert expanded({"a_{axis}_b": "", "c": ""}) == ["a_x_b", "a_y_b", "a_z_b", "c"]


def test_a_cell_is_one_value_or_nothing() -> None:
    """No lists anywhere: a number, a text, or None where a push or a bounce does not have it."""
    trace = two_pushes()
    found = measured(trace, figures(trace))
    wall = bounced(0.8, [1.0])
    bounce = measured(wall, figures(wall)).bounces
    assert bounce[0]["restitution"] == pytest.approx(0.8) and [*bounce[0]] == expanded(BOUNCES)[1:]
    for row in (found.row, *found.pushes, *bounce):
        for value in row.values():
            assert value is None or isinstance(value, int | str) or np.isfinite(value)
            assert not isinstance(value, str) or ";" not in value
