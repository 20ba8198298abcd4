"""Cuts at any row: the forces drawn there are those of the whole run, and they stand where parts touch."""

import numpy as np
import pytest

from hil.common.arrays import Array
from hil.trials.mating.loading import load_mating
from hil.trials.mating.result import Frame, MatingResult
from hil.trials.mating.running import run_experiment, run_named
from hil.trials.mating.sections import looked_at

COARSE = "sample_mm=0.05"


def run(name: str, *settings: str) -> MatingResult:
    return run_experiment(load_mating(name, [COARSE, *settings]))


def drawn(result: MatingResult, row: int) -> Frame:
    assert result.drawn is not None
    return result.drawn(row)


def total(frame: Frame) -> Array:
    return np.asarray(frame.forces[1].sum(axis=0))


def test_both_halves_of_an_o_ring_make_up_its_load() -> None:
    """Along and towards the offset, at every row; with a notch too, which takes its share away."""
    notched = ("o_ring.notches=[{at_deg = 20.0, width_deg = 60.0}]",)
    for settings in ((), ("eccentricity_mm=0.1", "azimuth_deg=30"), ("eccentricity_mm=0.8",), notched):
        result = run("o-ring", *settings)
        s, touched = result.series, 0
        for row in range(0, len(result.phases), 7):
            frame = drawn(result, row)
            touched += len(frame.forces[0])
            towards = np.deg2rad(30.0 if len(settings) == 2 else 0.0)
            side = s["side_x_n"][row] * np.cos(towards) + s["side_y_n"][row] * np.sin(towards)
            assert total(frame) == pytest.approx([-s["force_n"][row], side], abs=1e-9)
        assert touched > 50


def test_an_o_ring_touches_on_its_chamfers_and_its_cylinder() -> None:
    """On a circle about the chamfer's middle, or at the hole's radius; apart nothing is drawn."""
    result = run("o-ring")
    for row in range(0, len(result.phases), 5):
        points, _ = drawn(result, row).forces
        if not result.phases[row]:
            assert len(points) == 0
        elif result.phases[row] == "hole":
            assert np.abs(points[:, 1]) == pytest.approx([13.0, 13.0])
        else:
            middle = 0.0 if result.phases[row] == "entrance" else 15.0
            off = np.hypot(points[:, 0] - middle, np.abs(points[:, 1]) - 15.0)
            assert off == pytest.approx([2.0, 2.0])
            assert (points[:, 0] < 0.0).all() if middle == 0.0 else (points[:, 0] > 15.0).all()


@pytest.mark.parametrize("name", ["snap-beam", "snap-plate"])
def test_a_hooks_force_is_the_runs_load(name: str) -> None:
    """Of one half, along and across; of two, across they cancel and each lies on its side."""
    for halves in (1, 2):
        result = run(name, f"halves={halves}", "mu=0.3")
        s = result.series
        for row in range(0, len(result.phases), 9):
            frame = drawn(result, row)
            assert total(frame) == pytest.approx([-s["force_n"][row], s["side_z_n"][row]], abs=1e-6)
            points, forces = frame.forces
            assert len(points) == (halves if result.phases[row] else 0)
            if halves == 2 and len(points):
                assert points[1, 1] == pytest.approx(-12.0 - points[0, 1])
                assert forces[0, 1] == pytest.approx(-forces[1, 1])
        assert {len(drawn(result, row).moving) for row in (0, -1)} == {2 * halves}


def test_the_strip_is_of_those_rows_and_workers_leave_what_cannot_travel() -> None:
    """The strip's frames are those of their rows; a sweep's result has no function in it."""
    result = run("snap-beam")
    titles = [drawn(result, row).title for row in looked_at(list(result.phases))]
    assert [frame.title for frame in result.frames] == titles and len(titles) > 3
    assert run_named(("snap-beam", [COARSE])).drawn is None


def test_progress_rises_to_the_end() -> None:
    """Shares of what is done, from nothing, never back."""
    heard: list[float] = []
    run_experiment(load_mating("o-ring", [COARSE]), heard.append)
    assert heard[0] == 0.0 and heard == sorted(heard) and len(heard) > 5 and heard[-1] < 1.0
