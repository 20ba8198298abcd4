"""Recorded runs whose traces are made up, so that every metric is known beforehand."""

from pathlib import Path

import numpy as np

from hil.analysis.recorded.latency import latency_of
from hil.analysis.recorded.run import RecordedRun
from hil.configuration import Configuration, load_configuration
from hil.loop.trace.fields import Trace, trace_from
from hil.recording.reading import Summary
from tests.hil.loop.synthetic_trace import PushedRun

CONFIGS = Path(__file__).resolve().parents[4] / "configs"


def quiet_configuration() -> Configuration:
    """The push trial's: no motion noise, no interface delay."""
    return load_configuration(CONFIGS / "pushes.toml")


def run_of(trace: Trace, configuration: Configuration | None = None, **more) -> RecordedRun:
    """A recorded run with a made-up trace."""
    c = configuration or quiet_configuration()
    head = {
        "version": "1",
        "machine": "a machine",
        "settings": "[]",
        "configuration": "",
        "clock_offset_ns": "0",
    }
    summary = Summary(whole=True, metadata={"zerog": head})
    told = {"live": False, "missing": {}} | more
    return RecordedRun(Path("run.mcap"), summary, c, trace, latency_of(c, {}, ""), **told)


def pushed_run(sim=1.0, arm=1.0, delay=0.0, detected=1.0, count=8) -> PushedRun:
    """Pushes 2 s apart; changes of velocity by simulation and arm are `sim` and `arm` times the true ones.

    Nothing sets them right in between: after the k-th push the error is k times that of the first.

    The arm is later by `delay` [s], impulses are detected as `detected` times the true ones.
    """
    starts = 2.0 + 2.0 * np.arange(count)
    made = PushedRun(starts, starts + 0.08, duration=2.0 * count + 4.0)
    made.set("sim", gain=sim)
    made.set("arm", gain=arm, delay=delay)
    arrays = made.arrays
    arrays["impulse_id"] = np.arange(count)
    arrays["impulse_t_start"], arrays["impulse_t_end"] = starts, starts + 0.08
    arrays["impulse_t_centroid"] = starts + 0.04
    arrays["impulse_value"] = detected * arrays["push_value"]
    arrays["impulse_deviation"] = np.full(count, 0.01)
    arrays["impulse_sustained"] = np.zeros(count, bool)
    arrays["impulse_ended"] = np.ones(count, bool)
    arrays["slice_t"] = np.concatenate([start + np.arange(0.0, 0.081, 0.002) for start in starts])
    return made


def made_up(arrays: dict, **more) -> RecordedRun:
    """A recorded run with these arrays."""
    return run_of(trace_from(arrays), **more)
