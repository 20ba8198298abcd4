"""The report of one recording: what was run, the certificate, and the pictures."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hil.analysis.figures.insertion import insertion_figures
from hil.analysis.figures.insertion_words import insertion_words
from hil.analysis.figures.rest import worth_of_impulses
from hil.analysis.judged_contact import ContactJudge
from hil.analysis.latency.stages import measured_stages
from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.certificate import Certificate, certificate
from hil.analysis.report.chosen_push import chosen_push
from hil.analysis.report.contact_json import contact_values
from hil.analysis.report.contact_table import HEADS, contact_rows, contact_words
from hil.analysis.report.error_picture import draw_errors
from hil.analysis.report.insertion_picture import draw_insertion
from hil.analysis.report.latency_picture import draw_latency_histograms
from hil.analysis.report.motion_pictures import draw_overview, draw_path, draw_push
from hil.analysis.report.page import page
from hil.analysis.report.push_evidence import judged_pushes
from hil.analysis.report.run_evidence import evidence_of
from hil.analysis.report.snapshots import draw_snapshots
from hil.analysis.report.style import Picture
from hil.analysis.report.waits_table import waits_rows, waits_words
from hil.analysis.report.wrench_pictures import draw_input, draw_reconstruction
from hil.configuration.resolved import resolved
from hil.configuration.shared import Shared
from hil.loop.judging.real_arm import overrides
from hil.recording.head import began_in_words
from hil.wrench.load.taken_words import taken_words

FIRST = ("end", "chunks", "holes", "lost", "rows", "cycles", "simulation", "mode", "plans", "force", "motion")
LEAD = (
    "A robot arm holds a mock-up and moves it as if it floated in micro-gravity: pushes on it are measured, "
    "a simulated free body takes them, and the arm follows that body. This page says how true that was."
)
VIRTUAL = "Latency: the run was in lock-step on virtual time; only a live run takes time of its own."
NO_PUSH = "A push near by, its input and snapshots: there was no push."
NO_ERRORS = "there was no push, or too little rest to know the noise by"
NO_IMPULSE = "Reconstructed impulses: none was detected."


@dataclass
class Drawn:
    """Pictures, and why some are missing, a sentence each."""

    pictures: list[Picture] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """A finished report.

    Attributes:
        html: the page.
        pictures: by file name.
        certificate: of fidelity.
        note: to its verdict.
        worth: of an impulse in the noise of one run, in words.
        docking: figures of an insertion past seals and latches, empty where there was none.
        contacts: values of each contact under continuous force.
    """

    html: str
    pictures: Mapping[str, bytes]
    certificate: Certificate
    note: str = ""
    worth: str = ""
    docking: Mapping[str, Any] = field(default_factory=dict)
    contacts: tuple[Mapping[str, Any], ...] = ()


ON_A_BASE = {"tracking_free": 0.7}  # docs/understand/moving_base.md: what a base adds


def run_report(
    run: RecordedRun,
    tolerances: Mapping[str, float],
    expected: str | None,
    folder: str,
    progress: Callable[[str], None] = lambda words: None,
) -> Report:
    """Return the report of a recorded run.

    Args:
        run: as loaded.
        tolerances: that stand in for the default ones, by metric.
        expected: the digest that its trace must have, or None.
        folder: name of the folder of pictures, for the page's foot.
        progress: is told what is being done.
    """
    progress("computing the metrics")
    evidence = evidence_of(run)
    allowed = {} if run.base is None else ON_A_BASE
    found = certificate([evidence], {**allowed, **tolerances}, expected)
    drawn = draw_run(run, progress)
    docking: dict[str, Any] = {} if run.insertion is None else insertion_figures(run.insertion)
    if run.insertion is not None:
        drawn.pictures.append(draw_insertion(run.insertion, docking))
    (pushes,), _ = judged_pushes([(run.configuration, evidence.pushes)])
    if pushes is not None and len(pushes.error):
        drawn.pictures.append(draw_errors(pushes))
    else:
        drawn.missing.append(f"Errors of the impulses: {evidence.pushes.reason or NO_ERRORS}.")
    head: Mapping[str, Any] = run.summary.head
    begin_ns = begin_of(run)
    judge = ContactJudge(run.configuration)
    contacts = [judge.judged(contact) for contact in run.contacts]
    html = page(
        "run.html",
        title=f"Report of the run {run.path.name}",
        lead=LEAD,
        source=run.path.name,
        folder=folder,
        certificate=found,
        note="",
        warnings=[*overrides(run.configuration), *(run.missing[key] for key in FIRST if key in run.missing)],
        facts=[*facts_of(run), *insertion_words(docking)],
        waits_words=waits_words(run.waits),
        waits=waits_rows(run.waits, begin_ns),
        contact_words=contact_words(run.configuration.force, run.contacts, run.timing, run.grasp is not None),
        contact_heads=HEADS,
        contacts=contact_rows(contacts, begin_ns),
        pictures=drawn.pictures,
        not_drawn=drawn.missing,
        configuration=list(resolved(run.configuration)),
        settings=json.loads(head["settings"]),
        text=head["configuration"],
    )
    pictures = {f"{item.name}.png": item.png for item in drawn.pictures}
    worth, told = (
        worth_of_impulses(run.trace, run.configuration),
        [contact_values(one, begin_ns) for one in contacts],
    )
    return Report(html, pictures, found, "", worth, docking, tuple(told))


def begin_of(run: RecordedRun) -> int:
    """Return the instant from which a report counts, on the clock of the run's messages [ns]."""
    return run.summary.begin_ns - int(run.summary.head["clock_offset_ns"])


def draw_run(run: RecordedRun, progress: Callable[[str], None]) -> Drawn:
    """Return the pictures of a run."""
    drawn, trace = Drawn(), run.trace
    if not len(trace.t):
        drawn.missing.append("All pictures of the motion: there are no cycles afloat.")
        return drawn
    progress("drawing the run")
    drawn.pictures += [draw_overview(run), draw_path(run)]
    push = chosen_push(trace)
    if push is None:
        drawn.missing.append(NO_PUSH)
    else:
        progress("drawing a push")
        drawn.pictures += [draw_input(run, push), draw_push(run, push), draw_snapshots(run, push)]
    if len(trace.impulse_id):
        drawn.pictures.append(draw_reconstruction(run))
    else:
        drawn.missing.append(NO_IMPULSE)
    if run.live:
        drawn.pictures.append(draw_latency_histograms(measured_stages(run.latency)))
    else:
        drawn.missing.append(VIRTUAL)
    return drawn


def facts_of(run: RecordedRun) -> list[tuple[str, str]]:
    """Return what was run, on what, for how long."""
    c, trace, head = run.configuration, run.trace, run.summary.head
    kind = "emulated arm" if c.robot.kind == "emulated" else "real arm"
    pace = "live" if run.live else "in lock-step, on virtual time"
    afloat = float(trace.t[-1] - trace.t[0]) if len(trace.t) else 0.0
    body = c.object
    moments = " x ".join(f"{value:g}" for value in body.inertia)
    rows = [
        ("recording", run.path.name),
        ("run", f"{kind}, {pace}"),
        ("began", began_in_words(run.summary)),
        ("duration", f"{afloat:.1f} s from floating on; the recording has {run.summary.duration:.1f} s"),
        ("cycles", f"{len(trace.t)}, one every {1e3 * c.fri.sample_time:g} ms"),
        ("arm", c.robot.model.stem),
        (
            "floating object",
            f"{body.mass:g} kg, {moments} kg m², centre {_mm(body.position)} mm from the tcp",
        ),
        ("pushes", f"{_pushes(run)}; {len(trace.impulse_id)} impulses detected"),
        ("worth of an impulse", worth_of_impulses(trace, c)),
        ("seed", str(c.run.seed)),
        ("version", f"{head['version']}, sources {head.get('sources', 'unknown')}"),
        ("machine", head["machine"]),
    ]
    if head.get("wrench"):
        rows.insert(6, ("recorded wrench", f"{head['wrench']} acted instead of pushes"))
    if c.robot.kind == "emulated":
        noise = "with" if c.emulator.wrench.motion_noise else "without"
        rows.insert(6, ("emulation", f"interface delay {1e3 * c.emulator.delay:g} ms, {noise} motion noise"))
    if run.base is not None:
        rows.insert(6, (c.base.kind, run.base.words()))
    if run.grasp is not None:
        rows.insert(6, ("second arm", run.grasp.words()))
    if c.shared is not None:
        rows.insert(6, ("a pair", pair_words(c.shared)))
    if taken := taken_words(c):
        rows.insert(6, ("load", taken))
    return rows


def pair_words(shared: Shared) -> str:
    """Return which arm of which pair it is, and what that means for the figures."""
    who = "whose planner leads the observer" if shared.arm == "first" else "which follows the observer's path"
    return (
        f"the {shared.arm} arm of {shared.pair.name}, {who}: it shows its body before a moving observer, so "
        "nothing compares it with a body that floats alone"
    )


def _pushes(run: RecordedRun) -> str:
    if "force" in run.missing:
        return f"true ones unknown ({run.missing['force']})"
    return f"{len(run.trace.push_t_start)} by the emulated operator"


def _mm(p: Any) -> str:
    return ", ".join(f"{1e3 * value:g}" for value in p)
