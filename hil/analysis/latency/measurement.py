"""Measuring a live loop: one of its own with pushes, or the daemon that is running."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hil.analysis.latency.bare_loop import bare_loop
from hil.analysis.latency.listener import Listener
from hil.analysis.latency.push_trial import GAP_S, SPREAD_S, STRICT, trial_settings
from hil.analysis.latency.recording import LatencyRecording
from hil.common.errors import ConfigurationError
from hil.common.machine import machine_in_words
from hil.configuration import Configuration, load_configuration
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.processes.own_run import OwnRun

BARE_S = 10.0  # of the bare loop, before and again after the product
MOST_PACKETS = 60_000  # of the bare loop at a time: the counter on the wire has 16 bits
POLL_S = 0.1
LONGER_S = 60.0  # for all pushes than they should take
STOOD_S = 1.0  # for each push besides: before it the arm is floated anew, and the operator rests meanwhile
STANDING_S = 2.0  # without floating: it does not go on by itself
MOST_AGAIN = 5  # times that a loop of our own is floated again
AFTER_S = 1.5  # behind the last push, for its response
NO_UNCERTAINTY = 0.0

Told = Callable[[str, float], None]  # what is being done, and the share of it that is done


def measure_own_loop(
    path: Path, settings: list[str], pushes: int, duration_s: float | None, told: Told
) -> LatencyRecording:
    """Start the emulated loop of a configuration, push, listen, and return the recording.

    A bare answering loop is measured before and after, on the same machine in the same minutes.

    Args:
        path: configuration.
        settings: values instead of the file's.
        pushes: that are waited for.
        duration_s: listen for so long instead [s].
        told: progress.

    Raises:
        ConfigurationError: the configuration is wrong, or its robot is a real one.
        LinkError: the loop does not come to float.
    """
    if load_configuration(path, settings).robot.kind != "emulated":
        raise ConfigurationError(
            f"{path}: robot.kind = 'fri': a real arm is never started for measuring; start it with "
            f"`zerog run {path}`, float it, and call `zerog latency` without a configuration"
        )
    with OwnRun(path, [*settings, *trial_settings(pushes), STRICT], "latency") as trial:
        c = trial.configuration
        bare_s = min(BARE_S, MOST_PACKETS * c.fri.sample_time)
        before = _bare(c, bare_s, told)
        trial.start(lambda text: told(f"waiting for the loop: {text}", 0.0))
        listener = Listener(trial.bus)
        doubts = _listen(listener, pushes, duration_s, told, trial.check, trial.float_again)
        status = trial.bus.status()
        recording = listener.recording(c)
    after = _bare(c, bare_s, told)
    return replace(
        recording,
        bare_ns=np.concatenate([before[0], after[0]]),
        bare_sent=before[1] + after[1],
        doubts=recording.doubts + doubts,
        **_head(status),
    )


def measure_running_loop(bus: Bus, pushes: int, duration_s: float | None, told: Told) -> LatencyRecording:
    """Listen to the daemon that is running, real arm or emulated, while somebody pushes.

    Raises:
        LinkError: no daemon answers.
        ConfigurationError: its configuration is no longer what it was.
    """
    status = bus.status()
    c = load_configuration(Path(status["configuration"]), status["settings"])
    listener = Listener(bus)
    doubts = _listen(listener, pushes, duration_s, told, lambda: None)
    recording = listener.recording(c, _remote_uncertainty(bus.status()))
    return replace(recording, doubts=recording.doubts + doubts, **_head(status))


def _bare(c: Configuration, seconds: float, told: Told) -> tuple[Any, int]:
    told(f"bare answering loop, {seconds:.0f} s", 0.0)
    return bare_loop(c, seconds)


def _listen(
    listener: Listener,
    pushes: int,
    duration_s: float | None,
    told: Told,
    check: Callable[[], None],
    again: Callable[[], None] | None = None,
) -> tuple[str, ...]:
    """Listen until enough pushes are over, or for `duration_s`; return what was wrong with the loop.

    A loop that stands is floated `again`, if that is ours to do; what it did not follow is left out.
    """
    begin = floated = time.monotonic()
    doubts: list[str] = []
    longest = duration_s or pushes * (GAP_S + SPREAD_S + STOOD_S) + LONGER_S
    enough_s = None
    while True:
        time.sleep(POLL_S)
        listener.poll()
        check()
        now, mode = time.monotonic(), listener.mode
        floated = now if mode is None or mode.state == State.FLOATING else floated
        if mode is not None and now - floated > STANDING_S:
            text = f"after {floated - begin:.0f} s the loop no longer floated: {mode.state}, {mode.reason}"
            if again is None or len(doubts) >= MOST_AGAIN:
                return (*doubts, text)
            doubts.append(f"{text}; it was floated again")
            again()
            floated = time.monotonic()
        if duration_s is None and listener.pushes >= pushes and enough_s is None:
            enough_s = now
        if now - begin > longest or (enough_s is not None and now - enough_s > AFTER_S):
            return tuple(doubts)
        told(
            f"measuring: {listener.pushes} pushes",
            (now - begin) / duration_s if duration_s else min(1.0, listener.pushes / pushes),
        )


def _head(status: dict[str, Any]) -> dict[str, Any]:
    return {"real_time": status.get("real_time", {}), "machine": machine_in_words()}


def _remote_uncertainty(status: dict[str, Any]) -> float:
    """Return the uncertainty of the other host's clock [s]; infinite while it is not known."""
    if status.get("link") is None:
        return NO_UNCERTAINTY
    uncertainty = status.get("clock_uncertainty_us")
    return float("inf") if uncertainty is None else 1e-6 * float(uncertainty)
