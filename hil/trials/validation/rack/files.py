"""The files of an unattended campaign: one table of all trials, one of the pegs, a picture, a report."""

import base64
import csv
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from hil.analysis.report.style import BLUE, GREY, VERMILLION, drawn
from hil.common.errors import ExperimentError
from hil.trials.validation.campaign_picture import MARKS
from hil.trials.validation.pictures import save
from hil.trials.validation.rack.state import Outcome
from hil.trials.validation.rack.unattended import PegResult, Unattended

TRIALS, PEGS, PICTURE, REPORT = "trials.csv", "pegs.csv", "campaign.png", "report.html"
STYLE = "body{font:15px sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:right}"


def peg_row(result: PegResult) -> dict[str, Any]:
    """Return what a peg came to as keys of a file; what was not measured is empty."""
    peg, load, trials = result.peg, result.load, result.trials
    return {
        "peg": peg.name,
        "slot": peg.slot,
        "outcome": "not reached" if result.outcome is None else str(result.outcome),
        "declared_kg": peg.mass,
        "weighed_kg": None if load is None else load.mass,
        "weighed_error_kg": None if load is None else load.mass_error,
        "trials": len(trials),
        "max_force_n": max((t.trial.max_force_n for t in trials), default=None),
        "tool_force_n": max((t.tool_force_n for t in trials), default=None),
        "max_torque_n_m": max((t.trial.max_torque_n_m for t in trials), default=None),
        "line": result.line,
    }


def to_dict(campaign: Unattended, about: str) -> dict[str, Any]:
    """Return all of a campaign as keys of a JSON file."""
    return {
        "about": about,
        "state": str(campaign.state),
        "line": campaign.line,
        "pegs": [peg_row(result) for result in campaign.results],
        "trials": [trial.to_dict() for result in campaign.results for trial in result.trials],
    }


def write_campaign(folder: Path, campaign: Unattended, about: str) -> None:
    """Write tables, picture and report; those of a campaign that goes on are written anew.

    Raises:
        ExperimentError: a file cannot be written.
    """
    told = to_dict(campaign, about)
    _table(folder / PEGS, told["pegs"])
    _table(folder / TRIALS, told["trials"])
    png = rack_picture(campaign.results)
    save(png, folder / PICTURE)
    try:
        (folder / REPORT).write_text(_report(told, png), encoding="utf-8")
    except OSError as error:
        raise ExperimentError(f"{folder / REPORT} cannot be written: {error.strerror}") from error


def rack_picture(results: list[PegResult]) -> bytes:
    """Return the PNG: the largest force of each trial, peg by peg; pegs without trials say why."""
    with drawn(4.5, 1, 1) as (_, axes, buffer):
        for k, result in enumerate(results):
            x = k + np.linspace(-0.25, 0.25, max(len(result.trials), 2))
            for place, done in zip(x, result.trials, strict=False):
                marker, colour = MARKS[done.trial.outcome]
                axes.plot(place, done.trial.max_force_n, marker, color=colour, ms=8.0)
                axes.plot(place, done.tool_force_n, "_", color=BLUE, ms=12.0)
            if result.outcome is not Outcome.DONE:
                said = "not reached" if result.outcome is None else str(result.outcome)
                axes.text(k, 0.0, said, color=VERMILLION, rotation=90, ha="center", va="bottom")
        for outcome, (marker, colour) in MARKS.items():
            axes.plot([], [], marker, color=colour, label=outcome)
        axes.plot([], [], "_", color=BLUE, ms=12.0, label="by the tool's sensor")
        axes.set_xticks(range(len(results)), [result.peg.name for result in results])
        axes.set_ylim(bottom=0.0)
        axes.axhline(0.0, color=GREY, lw=0.8)
        axes.set_title("largest force of each trial [N]")
        axes.legend(loc="best", fontsize=8)
    return buffer.getvalue()


def _table(path: Path, rows: list[dict[str, Any]]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else ["peg"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise ExperimentError(f"{path} cannot be written: {error.strerror}") from error


def _report(told: dict[str, Any], png: bytes) -> str:
    picture = base64.b64encode(png).decode()
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>campaign</title>"
        f"<style>{STYLE}</style>"
        f"<h1>{escape(told['about'] or 'campaign')}</h1>"
        f"<p>{escape(told['state'])}: {escape(told['line'])}</p>"
        f"<h2>Pegs</h2>{_rows(told['pegs'])}<p><img alt='largest force of each trial' "
        f"src='data:image/png;base64,{picture}'></p><h2>Trials</h2>{_rows(told['trials'])}</html>\n"
    )


def _rows(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "<p>none</p>"
    head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
    lines = ("".join(f"<td>{_cell(value)}</td>" for value in row.values()) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))
