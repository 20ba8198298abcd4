"""The report of an experiment's folder: a table of trials, sweeps, the certificate of all, trial by trial."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hil.analysis.judged_contact import ContactJudge
from hil.analysis.recorded.run import RecordedRun, load_run
from hil.analysis.report.certificate import Certificate, certificate
from hil.analysis.report.chosen_push import chosen_push
from hil.analysis.report.contact_json import contact_values
from hil.analysis.report.motion_pictures import draw_overview, draw_push
from hil.analysis.report.page import page, value_in, value_text
from hil.analysis.report.run_evidence import RunEvidence, evidence_of
from hil.analysis.report.run_report import FIRST, LEAD, Report, begin_of
from hil.analysis.report.style import Picture
from hil.analysis.report.verdict import Verdict
from hil.common.errors import ReportError, ZeroGError
from hil.loop.judging.real_arm import overrides
from hil.trials.experiment.report.by_name import side_by_side
from hil.trials.experiment.report.folder import ExperimentFolder, Trial, read_folder
from hil.trials.experiment.report.sweep_pictures import draw_sweeps
from hil.trials.experiment.report.trial_table import anchor_of, overview_of

PICTURED = 12  # trials with pictures of their own; of more, the first of each name in the plan


@dataclass(frozen=True)
class TrialPart:
    """What the page says of one trial."""

    name: str
    anchor: str
    settings: tuple[str, ...]
    certificate: Certificate
    failed: tuple[str, ...]
    warnings: tuple[str, ...]
    pictures: tuple[Picture, ...]
    evidence: RunEvidence
    machine: str
    link: str
    contacts: tuple[Mapping[str, Any], ...]


def experiment_report(
    path: Path, tolerances: Mapping[str, float], target: Path, pictures: str, progress: Callable[[str], None]
) -> Report:
    """Return the report of an experiment's folder.

    Args:
        path: of the folder.
        tolerances: that stand in for the default ones, by metric.
        target: of the page: links lead from there to the recordings.
        pictures: name of the folder of pictures, for the page's foot.
        progress: is told what is being done.

    Raises:
        ReportError: the folder holds no experiment, or no trial that can be read.
    """
    folder = read_folder(path)
    missing = list(folder.missing)
    parts = _parts(folder, tolerances, target, missing, progress)
    if not parts:
        raise ReportError(f"{path} has no trial that can be read: {missing[len(folder.missing)]}")
    pooled = certificate([part.evidence for part in parts.values()], tolerances)
    failed = sum(part.certificate.failed for part in parts.values())
    note = f"{failed} of {len(parts)} trials fail on their own" if failed else ""
    sweeps, beside = draw_sweeps(folder.swept, folder.trials), side_by_side(folder.trials)
    html = page(
        "experiment.html",
        title=f"Report of the experiment {folder.plan.get('name', path.resolve().name)}",
        lead=folder.plan.get("about") or LEAD,
        source=str(path),
        folder=pictures,
        certificate=pooled,
        note=note,
        warnings=missing,
        facts=_facts(folder, parts),
        overview=overview_of(folder, {name: part.certificate for name, part in parts.items()}),
        beside=beside,
        sweeps=sweeps,
        trials=list(parts.values()),
        plan_text=folder.plan_text,
    )
    compared = [] if beside is None else [beside.picture]
    drawn = [*compared, *sweeps, *(item for part in parts.values() for item in part.pictures)]
    contacts = tuple(item for part in parts.values() for item in part.contacts)
    return Report(html, {f"{item.name}.png": item.png for item in drawn}, pooled, note, contacts=contacts)


def _parts(
    folder: ExperimentFolder,
    tolerances: Mapping[str, float],
    target: Path,
    missing: list[str],
    progress: Callable[[str], None],
) -> dict[str, TrialPart]:
    """Return the parts of all trials that can be read; of the others `missing` is told."""
    shown, parts = _pictured(folder), dict[str, TrialPart]()
    for number, trial in enumerate(folder.trials, 1):
        if trial.recording is None:
            continue
        progress(f"trial {number} of {len(folder.trials)}: {trial.name}")
        try:
            run = load_run(trial.recording)
        except ZeroGError as error:
            missing.append(f"trial {trial.name} cannot be read: {error}")
            continue
        link = os.path.relpath(trial.recording, target.parent)
        parts[trial.name] = _part(run, trial, tolerances, Path(link).as_posix(), trial.name in shown)
    return parts


def _part(
    run: RecordedRun, trial: Trial, tolerances: Mapping[str, float], link: str, pictured: bool
) -> TrialPart:
    found = evidence_of(run)
    own = certificate([found], tolerances)
    failed = [
        f"{line.title}: {value_text(line.value)} instead of at most {value_in(line.tolerance, line.unit)}"
        for line in own.lines
        if line.verdict is Verdict.FAIL
    ]
    status = trial.row.get("status", "done")
    warnings = [*overrides(run.configuration), *(run.missing[key] for key in FIRST if key in run.missing)]
    warnings += [f"{status}: {trial.row.get('problem', '')}"] if status != "done" else []
    return TrialPart(
        trial.name, anchor_of(trial.name), tuple(trial.account.get("settings", ())), own, tuple(failed),
        tuple(warnings), tuple(_pictures(run, trial.name)) if pictured else (), found,
        run.summary.head["machine"], link, _contacts(run, trial.name),
    )  # fmt: skip


def _contacts(run: RecordedRun, trial: str) -> tuple[Mapping[str, Any], ...]:
    """Return the values of a trial's contacts, with its name."""
    judge, begin_ns = ContactJudge(run.configuration), begin_of(run)
    return tuple({"trial": trial} | contact_values(judge.judged(one), begin_ns) for one in run.contacts)


def _pictures(run: RecordedRun, trial: str) -> list[Picture]:
    """Return a push near by, or the whole trial where there was none."""
    if not len(run.trace.t):
        return []
    push = chosen_push(run.trace)
    drawn = draw_overview(run) if push is None else draw_push(run, push)
    return [replace(drawn, name=f"{trial}-{drawn.name}")]


def _pictured(folder: ExperimentFolder) -> set[str]:
    """Return the names of the trials that have pictures."""
    readable = [trial for trial in folder.trials if trial.recording is not None]
    if len(readable) <= PICTURED:
        return {trial.name for trial in readable}
    first: dict[str, str] = {}
    for trial in readable:
        swept = tuple(trial.row.get(key, "") for key in folder.swept)
        first.setdefault(str((trial.row.get("name"), swept)), trial.name)
    return set(list(first.values())[:PICTURED])


def _facts(folder: ExperimentFolder, parts: Mapping[str, TrialPart]) -> list[tuple[str, str]]:
    machines = sorted({part.machine for part in parts.values()})
    modes = sorted({trial.row.get("mode", "") for trial in folder.trials} - {""})
    versions = sorted({str(trial.account.get("version", "")) for trial in folder.trials} - {""})
    seconds = sum(float(trial.row.get("duration_s") or 0.0) for trial in folder.trials)
    return [
        ("folder", str(folder.path)),
        ("trials", f"{len(folder.trials)}, of which {len(parts)} can be read"),
        (
            "mode",
            {"fast": "in lock-step, on virtual time"}.get(", ".join(modes), ", ".join(modes)) or "unknown",
        ),
        ("floated", f"{seconds:.0f} s in all"),
        ("swept", ", ".join(folder.swept) or "nothing"),
        ("base", str(folder.plan.get("base", "unknown"))),
        ("version", ", ".join(versions) or "unknown"),
        ("machine", "; ".join(machines)),
    ]
