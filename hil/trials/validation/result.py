"""What a validation comes to: the simulated arm beside a log, or beside many stand-ins."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.validation.arm_log import ArmLog, check_span
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.comparison import Comparison, compare, worst_of
from hil.trials.validation.parameters import Parameters
from hil.trials.validation.setup import Setup
from hil.trials.validation.stand_in import PLAINLY, Draw, log_of, stand_ins
from hil.trials.validation.tool.comparison import ToolComponent, compare_tool
from hil.trials.validation.tool.estimate import external_torques, wrench_by_joints


@dataclass(frozen=True, eq=False)
class Result:
    """A validation.

    Attributes:
        setup: of the experiment.
        measured: what stands on the other side, in words.
        simulated: the run with the parameters as configured, or fitted.
        log: what is shown beside it: the log, or the stand-in that is farthest off.
        worst: joint by joint the worst of all pairs, together with what it comes to.
        draws: the stand-ins; none for a log.
        notes: what was done to the log.
        tool: component by component the wrench at the tool; none without its sensor.
        by_joints: the same wrench as the log's joint torques tell it, shape (n, 6); None without a sensor.
    """

    setup: Setup
    measured: str
    simulated: ArmRun
    log: ArmLog
    worst: Comparison
    draws: tuple[Draw, ...] = ()
    notes: tuple[str, ...] = ()
    tool: tuple[ToolComponent, ...] = ()
    by_joints: Array | None = None

    @property
    def comparisons(self) -> list[Comparison]:
        """Of all pairs."""
        return [draw.comparison for draw in self.draws] or [self.worst]

    @property
    def figures(self) -> dict[str, Any]:
        """The worst of all pairs: what holds for all joints together."""
        known = [c.torque_correlation for c in self.comparisons if c.torque_correlation is not None]
        return {
            "max_deviation_rad": max(c.max_deviation_rad for c in self.comparisons),
            "sigma_rad": max(c.sigma_rad for c in self.comparisons),
            "torque_correlation": min(known, default=None),
        }

    @property
    def within(self) -> bool:
        """Whether every pair keeps the bounds."""
        return all(c.within(self.setup.experiment.bounds) for c in self.comparisons)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as keys of a JSON file."""
        bounds = self.setup.experiment.bounds
        return {
            "experiment": self.setup.name,
            "measured": self.measured,
            "stand_in": bool(self.draws),
            "notes": list(self.notes),
            "joints": [asdict(joint) for joint in self.worst.joints],
            **self.figures,
            "bounds": {
                "max_deviation_rad": bounds.deviation,
                "sigma_rad": bounds.sigma,
                "torque_correlation": bounds.torque_correlation,
            },
            "within_bounds": self.within,
            "tool": [asdict(component) for component in self.tool],
            "tool_sensor": None if self.log.told is None else self.log.told.to_dict(),
            "contacts_s": [list(span) for span in self.simulated.contacts()],
            "draws": [{"seed": draw.seed, **draw.comparison.figures()} for draw in self.draws],
        }


def commands_of(setup: Setup, log: ArmLog) -> Array:
    """Return what the simulated arm is to follow [rad], shape (n, 7): the log's own commands if it has them.

    Raises:
        RecordingError: the log is not of this sequence.
    """
    step = setup.experiment.simulation.step
    if log.command is None:
        check_span(log, (len(setup.commands) - 1) * step, setup.experiment.arm.start)
        return setup.commands
    check_span(log, float(log.t[-1]), log.command[0])
    t = np.arange(round(float(log.t[-1]) / step) + 1) * step
    return np.column_stack([np.interp(t, log.t, log.command[:, joint]) for joint in range(7)])


def against_log(setup: Setup, log: ArmLog, run: Callable[[Array], ArmRun]) -> Result:
    """Return the simulation beside a log.

    Args:
        setup: of the experiment.
        log: measured.
        run: makes the simulated run from commands.

    Raises:
        RecordingError: the log is not of this sequence.
    """
    simulated = run(commands_of(setup, log))
    cut = log.within(0.0, float(simulated.t[-1]))
    notes = list(log.notes)
    if len(cut.t) < len(log.t):
        notes.append(f"{len(log.t) - len(cut.t)} samples behind the sequence's end left out")
    if log.command is not None:
        notes.append("the simulated arm follows the log's own commands")
    notes.append(f"{1.0 / log.period:.4g} samples a second; the simulation is taken at the log's samples")
    if cut.told is not None:
        notes.append(cut.told.in_words())
    tool, by_joints = _tool(setup, simulated, cut)
    return Result(
        setup,
        log.source,
        simulated,
        cut,
        compare(simulated, cut, setup.experiment.noise.torque),
        notes=tuple(notes),
        tool=tool,
        by_joints=by_joints,
    )


def _tool(setup: Setup, run: ArmRun, log: ArmLog) -> tuple[tuple[ToolComponent, ...], Array | None]:
    """Return the comparison of the wrench at the tool, and what the log's joints say of it."""
    if run.wrench is None or log.wrench is None:
        return (), None
    by_joints = wrench_by_joints(setup, log.q, external_torques(log, run))
    return compare_tool(run, log, by_joints), by_joints


def against_stand_ins(
    setup: Setup,
    jobs: int,
    run: Callable[[Parameters], ArmRun],
    progress: Callable[[int], None] = lambda done: None,
) -> Result:
    """Return the simulation beside the stand-ins that the experiment's configuration asks for.

    Args:
        setup: of the experiment.
        jobs: threads.
        run: makes a run from parameters.
        progress: is told how many are done.
    """
    wanted = setup.experiment.stand_in
    simulated, draws = run(setup.parameters), []
    for draw in stand_ins(setup, simulated, range(wanted.seed, wanted.seed + wanted.draws), jobs, run):
        draws.append(draw)
        progress(len(draws))
    worst = max(draws, key=lambda draw: draw.comparison.max_deviation_rad)
    log = log_of(worst.run, f"stand-in {worst.seed}")
    tool, by_joints = _tool(setup, simulated, log)
    return Result(
        setup,
        f"{PLAINLY}: each within {100.0 * wanted.spread:g} %, {wanted.draws} draws, the worst of them",
        simulated,
        log,
        Comparison(worst_of([draw.comparison for draw in draws])),
        tuple(draws),
        tool=tool,
        by_joints=by_joints,
    )
