"""The detector on real sensors' recordings, where they lie beside the project."""

import csv
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hil.wrench.recorded.detection import detect

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "data" / "ft"
TOUCHES = ["franka_touch_f3_wrench_200hz.csv", "franka_touch_c6_wrench_200hz.csv"]
IDLE = "kuka_lwr4_kukadu_SensingPoke_class_0_sample_0_arm_right_idle.csv"
POKE = "kuka_lwr4_kukadu_SensingPoke_class_0_sample_0_arm_left.csv"
GUIDED = "panda_schunk_axia_comanip_symbol17_rec1_1khz.csv"
GUIDED_STEP = 0.0011  # [s]

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no recordings in {FOLDER}")


def columns(name: str) -> dict[str, np.ndarray]:
    with (FOLDER / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


def found(name: str, **options: Any) -> list[dict[str, Any]]:
    return detect(FOLDER / name, **options)["impulses"]


@pytest.mark.parametrize("name", TOUCHES)
def test_labelled_touches(name: str) -> None:
    """Every touch is one impulse and every impulse a touch; onsets lie with the labels."""
    data = columns(name)
    change = np.diff(data["contact"])
    begin, end = data["t_s"][1:][change > 0], data["t_s"][1:][change < 0]
    onset = np.array([impulse["t_start"] for impulse in found(name, learn_s=0.5)])
    assert len(begin) == 15 and len(onset) == 15
    late = onset - begin
    assert np.all(onset < end)
    assert np.abs(late).max() <= 0.110
    assert np.abs(late - np.median(late)).max() <= 0.050


@pytest.mark.parametrize("learned", [None, 0.5])
def test_idle_arm(learned: float | None) -> None:
    """Nothing touched the arm."""
    assert found(IDLE, learn_s=learned) == []


def test_hand_guiding_is_a_sustained_push() -> None:
    """The sum of the impulses is the integral of the offset-free force within 5 % of that of its norm."""
    data = columns(GUIDED)
    force = np.column_stack([data["fx"], data["fy"], data["fz"]])
    t = np.arange(len(force)) * GUIDED_STEP
    free = force - force[t < 0.8].mean(axis=0)
    impulses = found(GUIDED, learn_s=0.8, rate_hz=1.0 / GUIDED_STEP)
    total = np.sum([impulse["value"][:3] for impulse in impulses], axis=0)
    size = np.linalg.norm(free, axis=1).sum() * GUIDED_STEP
    assert np.linalg.norm(total - free.sum(axis=0) * GUIDED_STEP) <= 0.05 * size
    assert all(impulse["sustained"] for impulse in impulses)


@pytest.mark.parametrize("begin", [0.0, 0.2, 0.4])
def test_hand_guiding_from_any_quiet_start(begin: float, tmp_path: Path) -> None:
    """Cut to begin elsewhere, with 0.3 s of quiet to learn from: the same force, without gaps, within 5 %."""
    data = columns(GUIDED)
    force = np.column_stack([data["fx"], data["fy"], data["fz"]])
    t = np.arange(len(force)) * GUIDED_STEP
    free = (force - force[t < 0.8].mean(axis=0))[t >= begin]
    np.savetxt(tmp_path / "cut.csv", force[t >= begin], "%.9g", ",", header="fx,fy,fz", comments="")
    impulses = detect(tmp_path / "cut.csv", learn_s=0.3, rate_hz=1.0 / GUIDED_STEP)["impulses"]
    total = np.sum([impulse["value"][:3] for impulse in impulses], axis=0)
    size = np.linalg.norm(free, axis=1).sum() * GUIDED_STEP
    assert np.linalg.norm(total - free.sum(axis=0) * GUIDED_STEP) <= 0.05 * size
    for before, behind in itertools.pairwise(impulses):
        assert behind["t_start"] == before["t_end"]


def test_poke_with_thresholds_of_the_idle_arm() -> None:
    """The arm that pokes is pushed back in one sustained push of about 150 N s."""
    impulses = found(POKE, learn_file=FOLDER / IDLE)
    largest = max(impulses, key=lambda impulse: float(np.linalg.norm(impulse["value"][:3])))
    assert largest["sustained"]
    assert 100.0 < np.linalg.norm(largest["value"][:3]) < 250.0
