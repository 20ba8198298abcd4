"""`zerog simulate`: the loop in lock-step on virtual time, its trace and its figures."""

import sys
import time
from pathlib import Path

from rich.progress import Progress

from hil.analysis.diverging import must_diverge
from hil.analysis.figures import figures, figures_json
from hil.commands.figures_table import print_figures
from hil.commands.unbounded import unbounded
from hil.common.errors import ConfigurationError
from hil.common.output_file import write_output
from hil.configuration.loading import accept
from hil.loop.lockstep import LockStep
from hil.loop.scripted_duration import AFTER_LAST, scripted_duration
from hil.processes.first_start.stage import compile_first
from hil.processes.replayed import replay_in_words, replayed_wrench
from hil.recording.lockstep_file import lockstep_recorder


def simulate_run(
    path: Path,
    settings: list[str],
    duration_s: float | None,
    replay: Path | None,
    trace_path: Path | None,
    json_path: Path | None,
    record: Path | None = None,
) -> int:
    """Simulate a configuration, print its figures and write what was asked for."""
    accepted = accept(path, settings)
    configuration = accepted.configuration
    if configuration.robot.kind != "emulated":
        raise ConfigurationError(f"{path}: robot.kind = 'fri': only the emulated robot can be simulated")
    if configuration.shared is not None:
        raise ConfigurationError(
            f"{path}: shared is given: one arm alone shows nothing of it; `zerog share PAIR.toml` flies both"
        )
    if text := must_diverge(configuration, path):
        raise ConfigurationError(text)
    recording = replayed_wrench(replay) if replay is not None else None
    if replay is not None and recording is not None:
        print("\n".join(replay_in_words(replay)))
        duration_s = duration_s or float(recording.t[-1]) + AFTER_LAST
    duration_s = duration_s or scripted_duration(configuration)
    with Progress(transient=True) as progress:
        task = progress.add_task("simulating", total=duration_s)
        compile_first(configuration, path, settings, lambda text: progress.update(task, description=text))
        progress.update(task, description="simulating")
        begin = time.perf_counter()
        recorder = None
        if record is not None:
            acting = "" if replay is None else replay.name
            told = {"wrench": acting, "duration_s": repr(duration_s)}
            recorder = lockstep_recorder(record, configuration, accepted.text, settings, **told)
        loop = LockStep(configuration, recording, None if recorder is None else recorder.take)
        if warning := unbounded(configuration, path):
            print(f"zerog: {warning}", file=sys.stderr)
        trace = loop.run(duration_s, lambda done: progress.update(task, completed=done))
    if recorder is not None:
        recorder.end({})
    wall_s = time.perf_counter() - begin
    if trace_path is not None:
        trace.save(trace_path)
    result = figures(trace, wall_s)
    if configuration.docking is not None:
        result["docking"] = loop.docking
        if any(loop.fastened):
            names = ("seals_holding", "seals", "latches_closed", "latches")
            result["fastened"] = dict(zip(names, loop.fastened, strict=True))
    print_figures(result)
    if loop.grasp is not None:
        print("\n".join(loop.grasp.words()))
    if json_path is not None:
        write_output(json_path, figures_json(result))
    if loop.fault:
        print(f"zerog: {path}: {loop.fault}", file=sys.stderr)
    return 1 if loop.fault else 0
