"""The page of a mating experiment: features, the paper's statements ticked or crossed, pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hil.analysis.report.page import page, value_text
from hil.trials.mating.pictures import pictures_of
from hil.trials.mating.result import MatingResult

LEAD = "Two parts are put together, and what that takes is computed from the mechanics of their contact."


@dataclass(frozen=True)
class MatingReport:
    """A page, and its pictures as files."""

    html: str
    pictures: dict[str, bytes]


def report(
    result: MatingResult, text: str, source: str, settings: Sequence[str], folder: str = "."
) -> MatingReport:
    """Return the page.

    Args:
        result: of the experiment.
        text: of its file.
        source: the file's name.
        settings: what stood in for the file's values.
        folder: in which the pictures lie beside the page.
    """
    pictures = pictures_of(result)
    html = page(
        "mating.html",
        title=f"Mating: {result.experiment}",
        lead=LEAD,
        source=source,
        folder=folder,
        warnings=list(result.warnings),
        figures=[(name, shown(value)) for name, value in result.features.items()],
        statements=result.statements,
        pictures=pictures,
        settings=list(settings),
        text=text,
    )
    return MatingReport(html, {f"{item.name}.png": item.png for item in pictures})


def shown(value: Any) -> str:
    """Return a feature for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(shown(item) for item in value) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown(item)}" for name, item in value.items()) or "–"
    return value_text(value)
