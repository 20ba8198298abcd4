"""`zerog detect`: the pushes in a recorded wrench, as a table, as JSON and as a picture."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import RecordingError
from hil.common.output_file import write_output
from hil.configuration.schema import Detector, Filter
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.detector.slices import pushes
from hil.wrench.filter import filter_series
from hil.wrench.noise_learning import NoiseScales, noise_from_idle
from hil.wrench.recorded.asked import FORCES
from hil.wrench.recorded.deviations import deviations_line
from hil.wrench.recorded.quiet import doubt_of_quiet
from hil.wrench.recorded.reading import Recording, read_recording
from hil.wrench.worth.bound import Swing
from hil.wrench.worth.noise_model import fitted
from hil.wrench.worth.semivariance import semivariance, stretches
from hil.wrench.worth.words import worth_in_words

FEWEST_LEARNED = 10  # samples
REST_BEFORE, REST_AFTER = 0.05, 0.5  # [s] about a push that are no rest
LEAST_REST = 1.0  # [s] that tell of the noise


def detect(
    recording: Path,
    json_out: Path | None = None,
    learn_s: float | None = None,
    learn_file: Path | None = None,
    plot: Path | None = None,
    rate_hz: float | None = None,
) -> dict[str, Any]:
    """Print the impulses of a recording and return them as they are written to JSON.

    Args:
        recording: CSV file, see `hil.wrench.recorded.reading`.
        json_out: where to write the result.
        learn_s: length of the untouched start from which the noise is learned [s].
        learn_file: an untouched recording from which it is learned instead.
        plot: where to draw forces and impulses.
        rate_hz: rows per second of files without a time column.

    Raises:
        RecordingError: a file cannot be read, or too little of it to learn from.
    """
    settings, filter_ = Detector(), Filter()
    data = read_recording(recording, rate_hz)
    noise = learned_noise(recording, data, learn_s, learn_file, rate_hz, settings, filter_)
    detector = ImpulseDetector(settings, filter_, data.period, noise)
    found = run_detector(detector, data, filter_.length)
    result = {"impulses": [impulse_entry(push) for push in found]}
    for note in data.notes:
        print(f"note: {note}")
    print_table(recording, data, detector, found)
    if learn_s is not None:
        print(deviations_line(data, learn_s))
        if doubt := doubt_of_quiet(data.t, scaled(data.wrench, filter_.length), learn_s):
            print(doubt)
    print(worth_of_impulses(data, found, settings, filter_.length))
    if json_out is not None:
        write_output(json_out, json.dumps(result, indent=1) + "\n")
    if plot is not None:
        from hil.wrench.recorded.plot import draw_detection

        _, derivative = filter_series(data.t, scaled(data.wrench, filter_.length), filter_.tau)
        rate = np.linalg.norm(derivative, axis=1)
        draw_detection(plot, recording.name, data, rate, detector.derivative_threshold, found)
    return result


def learned_noise(
    recording: Path,
    data: Recording,
    learn_s: float | None,
    learn_file: Path | None,
    rate_hz: float | None,
    settings: Detector,
    filter_: Filter,
) -> NoiseScales | None:
    """Return the noise of the untouched stretch, or None if none is named."""
    source, name = data, recording
    if learn_file is not None:
        source, name = read_recording(learn_file, rate_hz), learn_file
    elif learn_s is None:
        return None
    quiet = np.ones(len(source.t), bool) if learn_s is None else source.t - source.t[0] < learn_s
    if quiet.sum() < FEWEST_LEARNED:
        raise RecordingError(
            f"{name}: {int(quiet.sum())} samples to learn the noise from; needed are {FEWEST_LEARNED}"
        )
    return noise_from_idle(source.t[quiet], source.wrench[quiet], settings, filter_)


def run_detector(detector: ImpulseDetector, data: Recording, length: float) -> list[ImpulseSlice]:
    """Return the pushes of a recording, each as one slice; the last may not be over at its end."""
    slices: list[ImpulseSlice] = []
    for t, wrench in zip(data.t, data.wrench, strict=True):
        slices += detector.step(round(float(t) * 1e9), wrench)
    return pushes(slices, length)


def worth_of_impulses(data: Recording, found: list[ImpulseSlice], settings: Detector, length: float) -> str:
    """Return in words what an impulse is worth in the noise between the pushes of a recording."""
    rest = np.ones(len(data.t), bool)
    for push in found:
        start, end = push.t_start_ns * 1e-9 - REST_BEFORE, push.t_end_ns * 1e-9 + REST_AFTER
        rest &= (data.t < start) | (data.t > end)
    stretch = stretches(data.t, rest, data.period)
    noise = semivariance(scaled(data.wrench, length), stretch, data.period)
    if noise.seconds < LEAST_REST:
        return f"worth of an impulse: not known, with {noise.seconds:.1f} s of rest"
    still = ", ".join(axis for k, axis in enumerate(FORCES) if not noise.values[:, k].any())
    if still:  # a sensor that is dead, cut off or too coarse: no noise is no measure of its errors
        return f"worth of an impulse: not known, {still} never changes in {noise.seconds:.1f} s of rest"
    force = fitted(noise.apart, noise.values[:, :3].mean(axis=1))
    words = worth_in_words(force, data.period, Swing.of(settings))
    return f"in the noise of {noise.seconds:.1f} s of rest {words}"


def impulse_entry(push: ImpulseSlice) -> dict[str, Any]:
    """Return an impulse as plain values, times in the recording's seconds."""
    return {
        "t_start": push.t_start_ns * 1e-9,
        "t_end": push.t_end_ns * 1e-9,
        "t_centroid": push.t_centroid_ns * 1e-9,
        "sustained": push.sustained,
        "value": push.impulse_object.tolist(),
        "deviation": push.deviation_object.tolist(),
    }


def scaled(wrench: Array, length: float) -> Array:
    """Return the wrench with torques divided by a length [N]."""
    return wrench / np.repeat([1.0, length], 3)


def print_table(
    recording: Path, data: Recording, detector: ImpulseDetector, found: list[ImpulseSlice]
) -> None:
    """Print what was read and one line an impulse, each value with its standard deviation."""
    bunched = f", {data.bunched} of equal stamps spread evenly" if data.bunched else ""
    print(
        f"{recording.name}: {len(data.t)} samples in {data.t[-1] - data.t[0]:.2f} s, every "
        f"{1e3 * data.period:.1f} ms ({data.dropped} repeated rows dropped{bunched}); a push starts above "
        f"{detector.derivative_threshold:.0f} N/s or {detector.level_threshold:.1f} N"
    )
    if not found:
        print("no impulse")
        return
    # stamps since 1970 are longer than those of a recording that begins at zero
    wide = max(8, len(f"{found[-1].t_end_ns * 1e-9:.3f}"))
    times = "".join(f"  {name:>{wide}}" for name in ("start s", "end s", "centroid"))
    print(f"{'':>4}{times}   {'impulse N s':^40}   {'N m s':^40}")
    for number, push in enumerate(found, start=1):
        notes = (
            " sustained" * push.sustained + " uncertain" * push.uncertain + " unfinished" * (not push.ended)
        )
        instants = (push.t_start_ns, push.t_end_ns, push.t_centroid_ns)
        each = [
            f"{value:>8.3f}+-{deviation:.3f}"
            for value, deviation in zip(push.impulse_object, push.deviation_object, strict=True)
        ]
        print(
            f"{number:>4}"
            + "".join(f"  {t_ns * 1e-9:>{wide}.3f}" for t_ns in instants)
            + "  "
            + "".join(each[:3])
            + "  "
            + "".join(each[3:])
            + notes
        )
