"""The certificate's rows on two bodies that collide, both measured: of runs whose port has a sensor."""

from collections.abc import Mapping, Sequence

import numpy as np

from hil.analysis.figures.momentum import momentum_errors
from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.evidence import Evidence
from hil.analysis.report.line import Line
from hil.analysis.report.verdict import judge

LINEAR, ANGULAR = "momentum_linear", "momentum_angular"
UNIT = "%"
MOST = 3.0  # [%] of the impulse: what restitution may err by
TITLES = {
    LINEAR: "Momentum of object and port together, largest change in a touch",
    ANGULAR: "Angular momentum of both, largest change in a touch",
}
HOW = {
    LINEAR: "Momentum that the simulated object lost, less what the port's own sensor measured, over that.",
    ANGULAR: "The same about the point of the port's face, over the impulse 0.2 m off.",
}
NO_TOUCH = "no touch of the port that began faster than 1 mm/s is over"


def momentum_evidence(run: RecordedRun) -> tuple[Evidence, Evidence] | None:
    """Return linear and angular changes of both bodies' momentum [%]; None: the port has no sensor."""
    port = run.configuration.port
    if port is None or port.sensor_noise is None:
        return None
    if (lost := run.summary.lost.get("port")) is not None:
        return (Evidence(np.empty(0), f"{lost} messages of port were lost"),) * 2
    errors = 100.0 * momentum_errors(run.trace)
    reason = "" if len(errors) else NO_TOUCH
    return Evidence(errors[:, 0], reason), Evidence(errors[:, 1], reason)


def momentum_lines(
    parts: Sequence[tuple[Evidence, Evidence] | None], tolerances: Mapping[str, float]
) -> list[Line]:
    """Return the rows of one run, or of several together; none where no port has a sensor.

    Args:
        parts: what each run has to say; None: it has no such port.
        tolerances: that stand in for the default one, by the metric's name.
    """
    told = [part for part in parts if part is not None]
    if not told:
        return []
    lines = []
    for k, name in enumerate((LINEAR, ANGULAR)):
        values = np.concatenate([part[k].values for part in told])
        value = float(values.max()) if len(values) else None
        tolerance = tolerances.get(name, MOST)
        reason = next((part[k].reason for part in told if part[k].reason), "")
        lines.append(
            Line(
                name, TITLES[name], UNIT, value, tolerance, MOST, judge(value, tolerance), reason, HOW[name],
                "hil/analysis/figures/momentum.py: momentum_errors", len(values),
            )
        )  # fmt: skip
    return lines
