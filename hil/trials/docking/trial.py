"""One trial of docking and the figures that it comes to."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hil.analysis.figures.insertion import Insertion, insertion_figures
from hil.common.arrays import Array
from hil.common.errors import SimulationError
from hil.configuration import Configuration
from sim.docking.judge import History
from sim.docking.scenario import DockingScenario, seated_since


@dataclass(frozen=True, eq=False)
class Trial:
    """The figures of one docking, SI."""

    word: str  # docked, jammed, lost, or diverged
    time: float  # when that was sure [s]
    seated: float | None  # since when all pins were deep and straight at the end [s]
    pins: int
    step: float  # of the simulation [s]
    history: History
    fasteners: tuple[int, int] = (0, 0)  # how many seals and latches there are
    remark: str = ""  # of a divergence: what, and where the state before it is

    @property
    def max_force(self) -> float:
        """Largest contact force [N]."""
        return float(self.history.force.max())

    @property
    def max_torque(self) -> float:
        """Largest moment of the contact forces about the middle of the plate's face [N m]."""
        return float(self.history.torque.max())

    @property
    def penetration(self) -> float:
        """Deepest penetration [m]."""
        return float(self.history.penetration.max())

    def figures(self) -> dict[str, Any]:
        """Return the figures for machines, keys with their units."""
        last = -1
        return {
            "docked": self.word == "docked",
            "jammed": self.word == "jammed",
            "outcome": self.word,
            "time_s": round(self.time, 6),
            "seated_s": None if self.seated is None else round(self.seated, 6),
            "max_force_n": _finite(self.max_force),
            "max_torque_nm": _finite(self.max_torque),
            "penetration_max_mm": _finite(1e3 * self.penetration),
            "pins": self.pins,
            "least_depth": _finite(float(self.history.depth[last].min())),
            "tilt_deg": _finite(math.degrees(float(self.history.tilt[last]))),
            "relative_speed_mm_s": _finite(1e3 * float(self.history.speed[last])),
            **self._fastened(),
            "remark": self.remark,
        }

    @property
    def insertion(self) -> Insertion:
        """The course of seals and latches."""
        h = self.history
        return Insertion(h.time, h.insertion, h.parts_force, h.work, h.sealed, h.closed, *self.fasteners)

    def _fastened(self) -> dict[str, Any]:
        """Return the figures of seals and latches, where there are any."""
        if not any(self.fasteners):
            return {}
        found = insertion_figures(self.insertion)
        return {k: _finite(v) if isinstance(v, float) else v for k, v in found.items()}


def docking_trial(
    configuration: Configuration,
    folder: Path | None = None,
    report: Callable[[float], None] = lambda time: None,
) -> Trial:
    """Play the docking of a configuration.

    Args:
        configuration: with a table `docking`.
        folder: where the state before a divergence is saved; None: nowhere.
        report: told the time [s] now and then.

    Raises:
        ConfigurationError, InterfaceError, SceneError: see `DockingScenario`.
    """
    scenario = DockingScenario(configuration, folder)
    pins, step = len(scenario.mating.tips), scenario.scene.step
    try:
        found = scenario.play(report)
    except SimulationError as error:
        history = scenario.history
        time = float(history.time[-1])
        return Trial("diverged", time, None, pins, step, history, scenario.fasteners, str(error))
    history = scenario.history.until(found.time)
    seated = seated_since(history, scenario.docking.outcome, scenario.fasteners)
    return Trial(found.word, found.time, seated, pins, step, history, scenario.fasteners)


def first_touch(history: History) -> float | None:
    """Return when the first contact force was felt [s], or None."""
    felt: Array = history.time[history.force > 0.0]
    return float(felt[0]) if len(felt) else None


def _finite(value: float) -> float | None:
    return round(value, 9) if math.isfinite(value) else None
