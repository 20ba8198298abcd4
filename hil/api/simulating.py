"""A run in lock-step, as `zerog simulate` makes it, from Python."""

import tempfile
from collections.abc import Callable, Mapping
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hil.analysis.diverging import must_diverge
from hil.api.configuration import Configuration
from hil.api.loading import channels_of
from hil.api.run import Run
from hil.common.errors import ConfigurationError, SimulationError
from hil.common.machine import machine_in_words
from hil.loop.scripted_duration import scripted_duration

LONGEST_S = 1e9  # beyond it a run has no number of cycles

if TYPE_CHECKING:
    from hil.analysis.recorded.run import RecordedRun
    from hil.loop.trace.fields import Trace


def simulate(
    config: "Configuration | str | PathLike[str]",
    changes: Mapping[str, Any] | None = None,
    /,
    *,
    duration_s: float | None = None,
    record: "str | PathLike[str] | None" = None,
    told: Callable[[str], None] | None = None,
    **more: Any,
) -> Run:
    """Return a run of a configuration in lock-step on virtual time: the same seed gives the same run.

    The first one compiles for about a minute where nothing was compiled yet.

    Args:
        config: file of the configuration, or one that was read, of a recorded run for example.
        changes: values instead of the file's, keys as it spells them: `{"emulator.delay_ms": 20.0}`.
        duration_s: how long it lasts; None: until the effect of the last configured push was seen.
        record: file that is to be written, which must not be there yet: the run then has channels as well.
        told: is told what is being done, if that takes long.
        more: further changes: `emulator={"delay_ms": 20.0}`, or a mapping with two stars before it.

    Raises:
        ConfigurationError: the configuration, a change or the duration is refused; all faults are listed.
        RecordingError: `record` cannot be written.
        SimulationError: the run came to a fault.
    """
    if isinstance(config, Configuration):
        made = config.changed(changes, **more)
    else:
        made = Configuration.read(config, changes, **more)
    c = made.values
    if c.robot.kind != "emulated":
        raise ConfigurationError(f"{made.path}: robot.kind = 'fri': only the emulated robot can be simulated")
    if duration_s is not None and not (isinstance(duration_s, Real) and 0.0 < duration_s <= LONGEST_S):
        raise ConfigurationError(
            f"duration_s = {duration_s!r} must be a number above 0, at most {LONGEST_S:g}"
        )
    if text := must_diverge(c, made.path):
        raise ConfigurationError(text)
    seconds = duration_s or scripted_duration(c)
    from hil.loop.lockstep import LockStep  # here and below: it takes seconds to be read

    _compile(made, told or (lambda text: None))
    recorder = None
    if record is not None:
        from hil.recording.lockstep_file import lockstep_recorder

        recorder = lockstep_recorder(Path(record), c, made.text, made.settings, duration_s=repr(seconds))
    loop = LockStep(c, None, None if recorder is None else recorder.take)
    trace = loop.run(seconds)
    if recorder is not None:
        recorder.end({})
    if loop.fault:
        raise SimulationError(f"{made.path}: {loop.fault}")
    whole = _as_recorded(made, trace)
    if record is None:
        return Run(made.path, trace, whole, made)
    channels, read = channels_of(Path(record))
    return Run(Path(record), trace, whole, made, channels, read)


def _as_recorded(made: Configuration, trace: "Trace") -> "RecordedRun":
    """Return the run as reports take it: nothing is missing of it."""
    from hil.analysis.recorded.latency import latency_of
    from hil.analysis.recorded.run import RecordedRun
    from hil.recording.reading import Summary

    stamps = latency_of(made.values, {}, machine_in_words())
    return RecordedRun(made.path, Summary(whole=True, ours=True), made.values, trace, stamps, live=False)


def _compile(made: Configuration, told: Callable[[str], None]) -> None:
    """Compile what is lacking; the processes that do read the text as it was accepted."""
    from hil.processes.first_start.stage import compile_first

    with tempfile.TemporaryDirectory() as folder:
        content = Path(folder) / "accepted.toml"
        content.write_text(made.text, encoding="utf-8")
        compile_first(made.values, made.path, made.settings, told, content)
