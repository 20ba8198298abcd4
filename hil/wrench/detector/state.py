"""What the impulse detector remembers from sample to sample, and its thresholds: two flat records.

Inside the detector torques are divided by a length, so that all six numbers are newtons, and time is
in seconds since the first sample.
"""

import math
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Detector, Filter
from hil.wrench.correlation_times import CORRELATION_TIMES
from hil.wrench.detector.thresholds import PushThresholds
from hil.wrench.filter import centroid_lag
from hil.wrench.noise_learning import NoiseScales

Record = Any  # of the two types below: fields are read by name, in compiled code as well

RING = 2048  # samples remembered; a power of two
MASK = RING - 1
IDLE, PUSH, CLOSING = 0, 1, 2
PROCESSES = len(CORRELATION_TIMES)
STATES = PROCESSES + 5  # of the disturbance: see hil.wrench.detector.disturbance
LAGS = 10  # of the structure of the noise, at most: 1, 2, 4 ... samples
LONGEST_LAG = 0.26  # [s] of them
NEAR = 4  # sums over what was not expected of the samples near by
SMOOTHING = 2  # raw samples on either side that are averaged where an edge is looked for
BRIDGED_GAP = 0.010  # [s] a longer one marks the impulse uncertain, unless samples come that slowly
GAP_PERIODS = 3.5  # ... in sample periods
REPEAT_PERIODS = 3.5  # a value repeated for longer than this (and BRIDGED_GAP) is a reading after all

THRESHOLDS = np.dtype(
    [
        ("tau", "f8"),
        ("level_tau", "f8"),
        ("baseline_tau", "f8"),
        ("derivative", "f8"),  # [N/s] starts a push
        ("level", "f8"),  # [N] starts a push
        ("edge", "f8"),  # [N] smoothed raw samples below it are outside a push
        ("quiet", "f8"),  # [N] unrest from the sensor's noise alone
        ("end", "f8"),  # [N] filtered, ends a push
        ("confirm", "f8"),  # [N] filtered, must be reached within confirm_time
        ("end_fraction", "f8"),
        ("flat", "f8"),  # [N/s] the derivative's norm that counts as flat
        ("confirm_time", "f8"),
        ("baseline_delay", "f8"),
        ("level_delay", "f8"),
        ("echo_fraction", "f8"),
        ("echo_rate", "f8"),  # [1/s] derivative of the counter-swing over its level
        ("echo_decay", "f8"),
        ("echo_time", "f8"),
        ("slice_time", "f8"),
        ("sustained_time", "f8"),
        ("close_time", "f8"),
        ("settle_time", "f8"),
        ("gap", "f8"),  # [s]
        ("repeat", "f8"),  # [s]
        ("times", "f8", (PROCESSES,)),  # [s] correlation times of the disturbance's processes
        ("lags", "i8"),  # of the noise that are looked at
        ("shapes", "f8", (LAGS, 1 + PROCESSES)),  # what unit variances show at them
    ]
)

STATE = np.dtype(
    [
        ("phase", "i8"),
        ("count", "i8"),  # samples accepted
        ("dropped", "i8"),  # repeated values, equal or backward stamps
        ("non_finite", "i8"),
        ("gaps", "i8"),  # longer than can be bridged
        ("armed", "i8"),  # whether the baseline means something
        ("lag", "i8"),  # sample that lies level_delay back
        ("lagged", "i8"),  # whether it is another than for the sample before
        ("t", "f8", (RING,)),
        ("wrench", "f8", (RING, 6)),
        ("base", "f8", (RING, 6)),  # running mean up to each sample
        ("unrest", "f8", (RING,)),  # [N] running rms of the filtered wrench about its running mean
        ("rough", "f8", (RING,)),  # [N2] running mean of half the squared change from sample to sample
        ("filtered", "f8", (6,)),
        ("slow", "f8", (6,)),
        ("mean", "f8", (6,)),
        ("rate", "f8"),  # norm of the derivative
        ("gap_at", "f8"),  # when the last long gap ended
        ("baseline", "f8", (6,)),  # of the present or last push
        ("direction", "f8", (6,)),
        ("reference", "f8", (6,)),  # what the wrench would be without a push, by the thresholds
        ("axis", "f8", (6,)),  # the direction that edges are looked for in
        ("correction", "f8", (6,)),  # what the present slice makes good for all of the push
        ("given", "f8", (6,)),  # what the earlier ones did
        ("steadied_by", "f8", (6,)),  # what a push that lasts is to make good
        ("deviation", "f8", (6,)),  # standard deviation of the push so far [N s]
        ("rest", "f8", (6,)),  # mean over the rest before the push
        ("rest_count", "i8"),
        ("rest_start", "f8"),
        ("rest_span", "f8"),
        ("steadied", "i8"),
        ("impulse_id", "i8"),
        ("slice", "i8"),
        ("revision", "i8"),
        ("first", "i8"),  # sample at which the push started
        ("over", "i8"),  # and the one at which the last push ended
        ("slice_first", "i8"),  # samples: start of the slice
        ("last", "i8"),  # end of the slice
        ("t_first", "f8"),  # start of the push
        ("seen", "i8"),  # sample at which it shows
        ("seen_level", "f8"),  # [N] there, if that is not the newest
        ("t_detected", "f8"),
        ("t_strong", "f8"),  # when the push was last as strong as one must be to start
        ("least_level", "f8"),  # [N] that strength
        ("t_over", "f8"),  # end of the last push
        ("t_closing", "f8"),
        ("rate_closing", "f8"),  # what the filters still held when the push seemed over
        ("level_closing", "f8"),
        ("peak", "f8"),
        ("edge", "f8"),  # [N] smoothed raw samples below it are outside the push
        ("variance", "f8"),
        ("confirmed", "i8"),
        ("glitch", "i8"),
        ("uncertain", "i8"),
        # the disturbance: what the wrench would be without pushes
        ("cursor", "i8"),  # newest sample that its filter has been moved to
        ("deaf_until", "f8"),  # [s] samples before it say nothing of the disturbance
        ("disturbance", "f8", (RING, 6, STATES)),
        ("spread", "f8", (RING, STATES, STATES)),
        ("near", "f8", (RING, NEAR)),  # see hil.wrench.detector.loudness
        ("first_near", "f8", (NEAR,)),  # where the push started
        ("nothing_near", "f8", (NEAR,)),  # zeros
        ("near_from", "f8"),  # [s] samples before it say nothing of the noise
        ("first_disturbance", "f8", (6, STATES)),  # where the push started
        ("first_spread", "f8", (STATES, STATES)),
        ("noise", "f8", (1 + PROCESSES,)),  # variances of white noise and processes, mean over axes [N2]
        ("structure", "f8", (LAGS, 6)),  # [N2] half the mean square of what the wrench changes over lags
        ("share", "f8", (6,)),  # of an axis in the noise's variance: 1 for all if they are alike
        ("before", "f8", (6,)),  # the baseline as the samples were last forgotten
        ("known_before", "i8"),  # whether it meant something
        ("learned", "i8", (LAGS,)),  # pairs of samples that the noise was learned from
    ]
)

LASTING = (
    "impulse_id",
    "noise",
    "structure",
    "share",
    "before",
    "known_before",
    "learned",
)  # outlasts the samples
# of these `count` says what is known
REMEMBERED = ("t", "wrench", "base", "unrest", "rough", "disturbance", "spread", "near")
PASSING = tuple(name for name in STATE.names or () if name not in (*LASTING, *REMEMBERED))
ROW_FLAGS = 7  # impulse id, slice, revision, final, ended, sustained, uncertain
# start, end, centroid [s], impulse (6) and standard deviation of the push so far (6) in scaled units
ROW_NUMBERS = 15
MAX_ROWS = 4


def thresholds(detector: Detector, filter_: Filter, noise: NoiseScales, nominal_dt: float) -> Record:
    """Return the record of thresholds (1,) for sensor noise and sampling as given."""
    record = np.zeros(1, THRESHOLDS)
    lags = min(LAGS, int(math.log2(max(LONGEST_LAG / nominal_dt, 1.0))) + 1)
    # a process that is faster than the samples is white noise to them
    times = np.maximum(CORRELATION_TIMES, nominal_dt)
    end = detector.onset_sigma * noise.level * math.sqrt(3.0)
    values = {
        "tau": filter_.tau,
        "level_tau": detector.level_time,
        "baseline_tau": detector.baseline_time,
        "derivative": PushThresholds.of(detector).derivative(noise.derivative),
        "level": max(detector.start_sigma * noise.slow_level, detector.level_floor),
        "edge": detector.onset_sigma * noise.sample / math.sqrt(2 * SMOOTHING + 1),
        "quiet": noise.level,
        "end": end,
        "confirm": 2.0 * end,
        "end_fraction": detector.end_fraction,
        "flat": max(0.7 * detector.start_sigma * noise.derivative, 0.7 * detector.floor),
        "confirm_time": detector.confirm_time,
        "baseline_delay": detector.baseline_delay,
        "level_delay": detector.level_delay,
        "echo_fraction": detector.echo_fraction,
        "echo_rate": 2.0 * math.pi / detector.echo_period,
        "echo_decay": detector.echo_decay,
        "echo_time": detector.echo_time,
        "slice_time": detector.slice_time,
        "sustained_time": detector.sustained_time,
        "close_time": max(detector.close_time, 2.0 * centroid_lag(nominal_dt, filter_.tau)),
        "settle_time": detector.settle_time,
        "gap": max(BRIDGED_GAP, GAP_PERIODS * nominal_dt),
        "repeat": max(BRIDGED_GAP, REPEAT_PERIODS * nominal_dt),
        "times": times,
        "lags": lags,
        "shapes": _shapes(times, nominal_dt),
    }
    for name in THRESHOLDS.names or ():
        record[name] = values[name]
    return record


def fresh_state(sample: float) -> Record:
    """Return a memory without samples (1,) whose noise is guessed from its standard deviation [N]."""
    state = np.zeros(1, STATE)
    state.view(np.uint8).fill(0)  # the system gives the memory now, not within the cycles that first use it
    forget_samples(state)
    state["noise"] = sample**2 * np.array([1.0, *[0.25] * PROCESSES])
    state["structure"] = sample**2
    state["share"] = 1.0
    return state


def forget_samples(state: Record) -> None:
    """Let a memory (1,) begin anew; ids go on and what was learned stays. Short: a cycle may wait for it."""
    for name in PASSING:
        state[name] = 0
    state["gap_at"] = state["deaf_until"] = state["near_from"] = -np.inf
    state["last"] = -1


def _shapes(times: Array, dt: float) -> Array:
    """Return what unit variances of white noise and of processes show at all lags, (LAGS, 1 + PROCESSES)."""
    lags = dt * 2.0 ** np.arange(LAGS)
    return np.column_stack([np.ones(LAGS), 1.0 - np.exp(-lags[:, None] / times)])
