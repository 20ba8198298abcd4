"""`zerog workspace`: are these stops certified, and what does the certificate look like?"""

import math
import sys
import time
from pathlib import Path
from types import TracebackType

import numpy as np
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from hil.commands.base_lines import deck_lines
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration, load_configuration
from hil.configuration.workspace_stamp import workspace_stamp
from planner.kinematics.arm_model import BRANCHES, ArmModel, check_inverse, load_arm_model
from planner.workspace.certification import Certificate, certify, own_branch
from planner.workspace.failure import failure_text, largest_factor, pose_text
from planner.workspace.grid import Grid
from planner.workspace.resting import Failure, Resting, certify_resting
from planner.workspace.set_geometry import WorkspaceSet
from planner.workspace.slack import MARGIN


def certify_workspace(path: Path, plot: Path | None) -> int:
    """Certify the stops of a configuration; return 0 when that is done, 1 when it cannot be.

    Raises:
        ConfigurationError: the configuration has no stops.
        RobotModelError: there is no certificate for `planner.inverse` of this arm.
    """
    configuration = load_configuration(path)
    if not configuration.stops.enabled:
        raise ConfigurationError(f"{path}: stops.enabled = false: there is nothing to certify")
    model = load_arm_model(configuration.robot.model)
    check_inverse(model, configuration.planner.inverse, configuration.robot.model.name)
    began = time.monotonic()
    with _Display() as display:
        search = certify if configuration.planner.inverse == BRANCHES else certify_resting
        found = search(configuration, model, display.report)
    print(f"computed in {time.monotonic() - began:.1f} s")
    if isinstance(found, Failure):
        where = f"{pose_text(found.grid, found.pose)} (stops with their softness)"
        print(f"{path}: not certified: at {where}: {found.text}", file=sys.stderr)
        print("make box, swing or twist smaller, or move the centre", file=sys.stderr)
        return 1
    if isinstance(found, Resting):
        _describe_resting(found, configuration)
        if plot is not None:
            print(f"no picture: {plot} would show arm angles, which are not chosen", file=sys.stderr)
        return _verdict(found, configuration, path)
    if not isinstance(found, Certificate):
        print(f"{path}: not certified: {failure_text(found)}", file=sys.stderr)
        _propose(configuration, model)
        return 1
    _describe(found, configuration)
    if plot is not None:
        from hil.analysis.workspace_picture import draw_workspace

        draw_workspace(found, configuration, model, plot)
        print(f"picture: {plot}")
    return _verdict(found, configuration, path)


def _describe(found: Certificate, c: Configuration) -> None:
    grid, dense = found.dense.grid, found.dense
    _describe_set(grid)
    print(
        f"branch {dense.branch}: all poses connected on {found.coarse.grid.size} and on {grid.size} poses; "
        f"arm angles at least {math.degrees(found.coarse.width.min()):.0f} and "
        f"{math.degrees(dense.width.min()):.0f} deg wide"
    )
    _describe_motion(found, grid, c)
    print("".join(f"{line}\n" for line in deck_lines(c)), end="")


def _describe_resting(found: Resting, c: Configuration) -> None:
    _describe_set(found.grid)
    limit, singular, clearance = found.least
    print(
        f"the arm settles continuously on {found.coarse} and on {found.grid.size} poses, and may be moved "
        f"along by itself: limits kept by {math.degrees(limit + MARGIN):.1f} deg, least singular value "
        f"{singular:.3f}, clearance {1e3 * clearance:.0f} mm"
    )
    _describe_motion(found, found.grid, c)
    print("".join(f"{line}\n" for line in deck_lines(c)), end="")


def _describe_set(grid: Grid) -> None:
    geometry, twist = grid.geometry, grid.workspace.full_twist
    print(
        f"set with the stops' softness: box {_numbers(2e3 * geometry.half_extent)} mm about "
        f"{_numbers(1e3 * geometry.centre)} mm, swing {math.degrees(geometry.swing):.1f} deg, "
        f"twist +-{math.degrees(twist):.1f} deg"
    )


def _describe_motion(found: Certificate | Resting, grid: Grid, c: Configuration) -> None:
    print(f"arm in the middle: start_deg = [{_numbers(np.degrees(found.q_start), 3)}]")
    factor = found.speeds.smallest
    slowest = int(np.argmin(found.speeds.factor))
    print(
        f"speeds: {1e3 * factor * c.stops.max_speed:.0f} mm/s together with "
        f"{math.degrees(factor * c.stops.max_spin):.1f} deg/s ({factor:.2f} times the stops'), bounded by "
        f"A{found.speeds.joint[slowest] + 1} at {pose_text(grid, slowest)}"
    )


def _verdict(found: Certificate | Resting, c: Configuration, path: Path) -> int:
    factor = found.speeds.smallest
    if isinstance(found, Certificate) and found.dense.branch != own_branch(c, load_arm_model(c.robot.model)):
        print(
            f"{path}: not certified: what holds is another branch than that of robot.start_deg: write the "
            "start_deg above and certify again",
            file=sys.stderr,
        )
        return 1
    if factor < 1.0:
        print(
            f"{path}: not certified: the stops' speeds are too high; at most "
            f"max_speed_mm_s = {math.floor(1e3 * factor * c.stops.max_speed)} with "
            f"max_spin_deg_s = {math.floor(10.0 * math.degrees(factor * c.stops.max_spin)) / 10.0} holds",
            file=sys.stderr,
        )
        return 1
    stamp = workspace_stamp(c)
    if c.stops.certified == stamp:
        print(f"certified; {path} already says so:")
    else:
        print(f"certified; write under [stops] of {path}:")
    print(f'certified = "{stamp}"')
    return 0


def _propose(c: Configuration, model: ArmModel) -> None:
    factor = largest_factor(WorkspaceSet.from_configuration(c), model)
    if factor == 0.0:
        text = "even a small set about this centre cannot be: move the centre, or allow less twist"
    else:
        half = _numbers(np.floor(1e3 * factor * c.stops.half_extent))
        swing = math.floor(10.0 * math.degrees(factor * c.stops.swing)) / 10.0
        text = (
            f"on the coarse grid {factor:.2f} times box and swing would do: "
            f"half_extent_mm = [{half}], swing_deg = {swing}"
        )
    print(text, file=sys.stderr)


def _numbers(values: np.ndarray, digits: int = 0) -> str:
    return ", ".join(f"{value + 0.0:.{digits}f}" for value in np.round(values, digits))


class _Display:
    """A bar on a terminal, a line a stage elsewhere."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), transient=True
        )
        self._plain = not self._progress.console.is_terminal
        self._stage = ""
        self._task: TaskID | None = None

    def __enter__(self) -> "_Display":
        if not self._plain:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def report(self, stage: str, share: float) -> None:
        """Show a stage and the share of it that is done."""
        if self._plain:
            if stage != self._stage:
                print(f"{stage} ...", flush=True)
        elif self._task is None or stage != self._stage:
            if self._task is not None:
                self._progress.remove_task(self._task)
            self._task = self._progress.add_task(stage, total=1.0)
        if self._task is not None:
            self._progress.update(self._task, completed=share)
        self._stage = stage
