"""What a rate can show of a push: of so many samples a push, none is missed, or its impulse holds."""

from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import RecordingError

SHORTEST, LONGEST = 0.05, 0.2  # [s] of the pushes that a hand gives
SAMPLES_SEEN = 2.0  # in a push: fewer, and it may fall between them
SAMPLES_MEASURED = 2.5  # and fewer, and its impulse is wrong by 10 % and more
LONG_GAP = 20.0  # periods without a row that are told
FASTEST = 100_000.0  # [1/s] of a sensor


def rate_in_words(path: Path, period: float) -> list[str]:
    """Return what the rate of a recording costs, in words; nothing if no push suffers.

    Args:
        path: of the recording.
        period: from sample to sample [s].

    Raises:
        RecordingError: it can show no push, or is none of a sensor.
    """
    if period * SAMPLES_SEEN > LONGEST:
        raise RecordingError(
            f"{path}: a sample every {period:.3g} s shows no push of {LONGEST:g} s or less; record at "
            f"{SAMPLES_MEASURED / SHORTEST:.0f} Hz or more; if the stamps are in another unit, say it: "
            f"`zerog import {path} --time-unit ms -o out.csv`"
        )
    if period * FASTEST < 1.0:
        raise RecordingError(
            f"{path}: {1.0 / period:.3g} samples a second are those of no sensor; if the stamps are in "
            f"another unit, say it: `zerog import {path} --time-unit s -o out.csv`"
        )
    if period * SAMPLES_MEASURED > SHORTEST:
        return [
            f"{1.0 / period:.3g} samples a second are few: a push shorter than "
            f"{1e3 * SAMPLES_MEASURED * period:.0f} ms is missed or measured wrongly"
        ]
    return []


def gaps_in_words(t: Array) -> list[str]:
    """Return the longest stretch without rows, in words; nothing if there is none.

    Args:
        t: times of the rows, or of bunches of them, not falling [s], (N,).
    """
    steps = np.diff(t)
    ahead = steps[steps > 0.0]
    if not len(ahead) or ahead.max() <= LONG_GAP * np.median(ahead):
        return []
    k = int(steps.argmax())
    return [f"no rows for {steps[k]:.3g} s from {t[k]:.6g} s on; a push there is missing"]
