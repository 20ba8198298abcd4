"""The page: templates filled in, pictures within, nothing from elsewhere."""

import base64
import datetime
import math
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hil.analysis.report.verdict import Verdict

HERE = Path(__file__).parent
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MARKS = {Verdict.PASS: "✓ pass", Verdict.FAIL: "✗ FAIL", Verdict.NOT_MEASURED: "– not measured"}


def page(template: str, **content: Any) -> str:
    """Return a page in HTML that needs no other file.

    Args:
        template: `run.html` or `experiment.html`.
        content: what the template names.
    """
    return (
        _environment()
        .get_template(template)
        .render(
            css=Markup((HERE / "page.css").read_text(encoding="utf-8")),
            generator=f"zerog {version('zerog-emulator')}",
            made_on=datetime.date.today().isoformat(),
            **content,
        )
    )


def value_text(value: float | str | None) -> str:
    """Return a value for people, at most four digits of it."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if math.isfinite(value) and value == round(value) and abs(value) < 1e6:
        return f"{value:.0f}"
    digits, _, power = f"{value:.3g}".partition("e")
    return f"{digits} × 10{str(int(power)).translate(RAISED)}" if power else digits


def value_in(value: float | str | None, unit: str) -> str:
    """Return a value for people with its unit, if it is a number and has one."""
    return f"{value_text(value)} {unit}" if unit and isinstance(value, float | int) else value_text(value)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {
        "value": value_text,
        "kind": lambda verdict: verdict.value.replace(" ", "-"),
        "breakable": lambda name: Markup("<wbr>").join(re.split(r"(?<=[._])", name)),
        "mark": lambda verdict: MARKS[verdict],
        "data_uri": lambda png: "data:image/png;base64," + base64.b64encode(png).decode("ascii"),
    }
    return made
