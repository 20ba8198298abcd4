"""Costs by hand, the front against its definition, rows of results to the last bit."""

import numpy as np
import pytest

from hil.workbench.design.grammar import Turned
from hil.workbench.design.judgement import Judgement, arm_of, arm_text, read_rows, rows_text
from hil.workbench.design.ranking import front, ranked
from hil.workbench.design.task_file import Weights

ARM = (Turned("base", 0.0), Turned("hinge", 90.0), Turned("link-a", -22.5))


def judgement(number: int, mass: float, margin: float, verdict: str = "good") -> Judgement:
    """A judgement that differs from others in mass and margin."""
    figures = {"joints": 2.0, "mass_kg": mass, "stretched_m": 0.3, "torque_margin": margin,
               "motion_margin": margin, "manipulability": 0.1 / 3.0, "power_w": 0.0, "base_force_n": 1e-17,
               "base_moment_n_m": 2.0}  # fmt: skip
    return Judgement(number, verdict, ARM, figures if verdict == "good" else {"joints": 2.0})


def test_costs_are_shares_of_the_median() -> None:
    """Masses 10, 20, 40 at weight 2, torques of 0.5, 0.25, 0.25 at weight 1: by hand; bad ones are out."""
    weights = Weights.model_validate(
        {"mass": 2.0, "torque": 1.0, "manipulability": 0.0, "power": 3.0, "base_moment": 0.0}
    )
    those = [
        judgement(4, 20.0, 0.75),
        judgement(1, 40.0, 0.75),
        judgement(2, 10.0, 0.5),
        judgement(3, 0, 0, "too heavy"),
    ]
    good, costs, on_front = ranked(those, weights)
    assert [j.number for j in good] == [2, 4, 1]
    assert costs == pytest.approx(
        [2 * 0.5 + 2.0, 2 * 1.0 + 1.0, 2 * 2.0 + 1.0]
    )  # power is 0 for all: no share
    assert on_front.tolist() == [True, True, False]
    assert ranked(those[3:], weights)[0] == []


def test_equal_costs_stand_in_the_order_of_the_candidates() -> None:
    """So the list does not depend on who judged first."""
    those = [judgement(number, 10.0, 0.5) for number in (3, 1, 2)]
    good, _, on_front = ranked(those, Weights())
    assert [j.number for j in good] == [1, 2, 3] and on_front.all()


def test_the_front_is_what_nothing_is_better_than() -> None:
    """By its definition, on random rows with ties."""
    rng = np.random.default_rng(2)
    for columns in (1, 2, 4):
        values = rng.integers(0, 6, (120, columns)).astype(float)
        better = [
            bool(np.any(np.all(values <= row, axis=1) & np.any(values < row, axis=1))) for row in values
        ]
        assert front(values).tolist() == [not b for b in better]


def test_rows_are_read_back_as_they_were() -> None:
    """Every figure to the last bit; turns and missing figures too."""
    those = [judgement(1, 0.1 + 0.2, 1.0 / 3.0), judgement(2, 0.0, 0.0, "pose 2, far not reached")]
    assert read_rows(rows_text(those, head=True)) == those
    assert arm_of(arm_text(ARM)) == ARM
    with pytest.raises(ValueError, match="columns"):
        read_rows("candidate,verdict\n1,good\n")
