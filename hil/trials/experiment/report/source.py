"""What a report can be made of: a recording, or an experiment's folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

from hil.analysis.recorded.run import load_run
from hil.analysis.report.output import folder_of
from hil.analysis.report.run_report import Report, run_report
from hil.common.errors import ReportError
from hil.trials.experiment.report.page import experiment_report


def report_of(
    source: Path,
    tolerances: Mapping[str, float],
    expected: str | None,
    target: Path,
    progress: Callable[[str], None],
) -> Report:
    """Return the report of a recording or of an experiment's folder.

    Args:
        source: path of either.
        tolerances: that stand in for the default ones, by metric.
        expected: the digest that a recording's trace must have, or None.
        target: of the page.
        progress: is told what is being done.

    Raises:
        ReportError: it is neither, or an experiment without a trial that can be read.
        RecordingError: the recording cannot be read.
    """
    pictures = folder_of(target).name
    if source.is_dir():
        if expected is not None:
            raise ReportError(f"--expect {expected} is for one recording, not for an experiment")
        return experiment_report(source, tolerances, target, pictures, progress)
    run = load_run(source, lambda count: progress(f"reading: {count} messages"))
    return run_report(run, tolerances, expected, pictures, progress)
