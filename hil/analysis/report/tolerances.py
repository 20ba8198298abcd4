"""Tolerances that a user gives instead of the default ones: `NAME=VALUE`."""

import difflib
import math
from collections.abc import Iterable

from hil.analysis.report.contact_lines import CONTACT_METRICS
from hil.analysis.report.impulse_lines import NOISE
from hil.analysis.report.impulse_metrics import IMPULSE_METRICS
from hil.analysis.report.metrics import METRICS
from hil.analysis.report.momentum_lines import ANGULAR, LINEAR, UNIT
from hil.common.errors import ReportError

UNITS = {name: metric.unit for name, metric in IMPULSE_METRICS.items()}
UNITS |= {name: metric.unit for name, metric in METRICS.items()} | {NOISE: ""}
UNITS |= {name: metric.unit for name, metric in CONTACT_METRICS.items()}
UNITS |= {LINEAR: UNIT, ANGULAR: UNIT}


def parsed(texts: Iterable[str]) -> dict[str, float]:
    """Return tolerances by the metric's name.

    Raises:
        ReportError: one is no `NAME=VALUE`, names no metric, or is no number from 0 on.
    """
    found = {}
    for text in texts:
        name, equals, number = (part.strip() for part in text.partition("="))
        if not equals:
            raise ReportError(f"--tolerance {text!r} must read NAME=VALUE, for example reaction=20")
        if name not in UNITS:
            near = difflib.get_close_matches(name, UNITS, n=1, cutoff=0.4)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(UNITS)}"
            raise ReportError(f"--tolerance {name}: there is no such metric; {hint}")
        found[name] = _number(name, number)
    return found


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < math.inf:
        unit = UNITS[name]
        words = f"a number from 0 on, in {unit}" if unit else "a number from 0 on"
        raise ReportError(f"--tolerance {name} = {text} must be {words}")
    return value
