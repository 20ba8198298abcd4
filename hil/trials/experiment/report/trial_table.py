"""The overview of an experiment's trials: one row each, as the results have it."""

from collections.abc import Mapping
from dataclasses import dataclass

from hil.analysis.report.certificate import Certificate
from hil.analysis.report.page import value_text
from hil.trials.experiment.report.folder import ExperimentFolder, Trial, number

# column of the results, head of the table, factor
SHOWN = (
    ("status", "status", 0.0),
    ("pushes", "pushes", 1.0),
    ("impulse_error_median", "impulse error [%]", 100.0),
    ("reaction_median_ms", "reaction [ms]", 1.0),
    ("velocity_error_arm_median", "velocity error, arm [%]", 100.0),
    ("restitution_median", "restitution", 1.0),
    ("tracking_free_rms_mm", "tracking [mm rms]", 1.0),
    ("holds", "holds", 1.0),
    ("branch_changes", "branch changes", 1.0),
    ("contacts", "contacts", 1.0),
    ("contact_restitution_error_worst", "error of restitution", 1.0),
    ("contact_beyond_ideal_worst", "energy beyond ideal [%]", 100.0),
    ("contact_created_worst", "energy created [%]", 100.0),
    ("contact_peak_force_n", "peak force [N]", 1.0),
    ("contact_peak_error_worst", "error of peak force [%]", 100.0),
    ("contact_time_error_worst", "error of contact time [%]", 100.0),
    ("faults", "faults", 1.0),
)


@dataclass(frozen=True)
class OverviewRow:
    """One trial; `anchor` leads to its part of the page, which it has with a certificate."""

    trial: str
    cells: list[str]
    anchor: str
    certificate: Certificate | None


@dataclass(frozen=True)
class Overview:
    """The whole table."""

    heads: list[str]
    rows: list[OverviewRow]


def overview_of(folder: ExperimentFolder, certificates: Mapping[str, Certificate]) -> Overview:
    """Return the overview; columns that are empty in all trials are left out.

    Args:
        folder: of the experiment.
        certificates: of the trials that could be read, by name.
    """
    shown = [item for item in SHOWN if any(trial.row.get(item[0]) for trial in folder.trials)]
    heads = [*folder.swept, *(head for _, head, _ in shown)]
    rows = []
    for trial in folder.trials:
        cells = [_cell(trial, key, 1.0) for key in folder.swept]
        cells += [_cell(trial, column, factor) for column, _, factor in shown]
        rows.append(OverviewRow(trial.name, cells, anchor_of(trial.name), certificates.get(trial.name)))
    return Overview(heads, rows)


def anchor_of(trial: str) -> str:
    """Return the anchor of a trial's part of the page."""
    return f"trial-{trial}"


def _cell(trial: Trial, column: str, factor: float) -> str:
    """Return a cell's number, or its text."""
    text = trial.row.get(column) or ""
    value = number(text)
    if value is None or factor == 0.0:
        return text or "–"
    return value_text(factor * value)
