"""What load data misses, from wrench and joints in motion and at rest (docs/theory.md, section 23).

Wrench and what acceleration is worth in it are smoothed by one kernel, so both are late alike. Beside the ten
parameters each axis has an offset of its own, linear in pose and time. Motion noise is coloured: what the fit
leaves is whitened by an autoregression, and the fit repeated. A prior as wide as the whole mock-up stands for
what the motion does not show. What the weight tells at rest (`weighing`) is put beside it, unless the two
contradict each other; all that is held then must be a body's (`consistency`).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri, stdtrit

from hil.common.arrays import Array, BoolArray
from hil.common.autoregression import ORDER, autoregression, whitened
from hil.common.errors import OperatorError
from hil.wrench.load.consistency import consistent
from hil.wrench.load.held_motion import raw_motion
from hil.wrench.load.inertial import PARAMETERS, regressor
from hil.wrench.load.offset import FoundOffset, found_offset
from hil.wrench.load.weighing import Rests, Sensed, Weighed, weighed

SMOOTHING = 0.01  # [s] to both sides, of the kernel
APART = 0.01  # [s] between two rows of the fit
ROUNDS = 3  # of whitening
CONFIDENCE = 0.95
BAND = 3.6  # [Hz] of the motion: so many values an axis it has there, of which the fit takes some out
SHOWN = 0.2  # of the prior's deviation: below it the motion has shown a parameter
LEAST = 2.0  # [s] of motion, at least
RESTING = 1e-4  # [m/s] below which the object stands
GAP = 1.5  # steps between two stamps, beyond which a sample is missing
MOST_MISSED = 0.05  # of the samples may be
DOUBT = 1e-4  # probability below which chance explains nothing: that weight and inertia differ, or no body
UNFELT = 0.01  # the same for an estimate's weight: to leave it out costs precision only


@dataclass(frozen=True, eq=False)
class FoundLoad:
    """What was found.

    Attributes:
        value: of the ten parameters, see `inertial`, shape (10,).
        interval: half of the 95 % interval, shape (10,).
        shown: whether the motion shows it, shape (10,).
        noise: deviation of what is left, of a force and a torque axis [N, N m], shape (2,).
        weighs: whether the weight of it is missed as well; None: it was not weighed.
        offset: of the sensor, found at rest; None: it was not looked for.
        mended: whether the nearest numbers that a body can have stand for what was measured.
    """

    value: Array
    interval: Array
    shown: BoolArray
    noise: Array
    weighs: bool | None = None
    offset: FoundOffset | None = None
    mended: bool = False


@dataclass(frozen=True, eq=False)
class Weighing:
    """What is known beside the motion.

    Attributes:
        rests: at which the arm stood.
        sensed: where the wrench is measured.
        held: ten parameters that load data has, shape (10,).
    """

    rests: Rests
    sensed: Sensed
    held: Array


@dataclass(frozen=True, eq=False)
class _Evidence:
    """Of the motion: parameters, what is known of them, and degrees of freedom of their noise."""

    value: Array
    information: Array
    freedom: float
    noise: Array


def even(t: Array, q: Array, wrench: Array, step: float) -> tuple[Array, Array]:
    """Return joints and wrench on an even grid; where single samples lack, by lines between the neighbours.

    Args:
        t: instants [s], shape (n,), rising.
        q: joint positions [rad], shape (n, 7).
        wrench: shape (n, 6).
        step: of the grid [s].

    Raises:
        OperatorError: too much is missing.
    """
    if len(t) < 2 or t[-1] - t[0] < LEAST:
        raise OperatorError(f"calibrate: {len(t)} samples are too few to find anything in; repeat it")
    steps = np.rint((t - t[0]) / step).astype(int)
    grid = np.arange(steps[-1] + 1)
    missed = len(grid) - len(np.unique(steps))
    longest = float(np.diff(t).max()) / step
    if missed > MOST_MISSED * len(grid) or longest > 5.0 * GAP:
        raise OperatorError(
            f"calibrate: {missed} of {len(grid)} samples are missing, up to {longest:.0f} in a row: look at "
            "the link (`zerog doctor`) and repeat it"
        )
    return (
        np.stack([np.interp(grid, steps, x) for x in q.T], axis=1),
        np.stack([np.interp(grid, steps, x) for x in wrench.T], axis=1),
    )


def found_load(
    R: Array, p: Array, wrench: Array, step: float, prior: Array, weighing: Weighing | None = None
) -> FoundLoad:
    """Return what load data misses.

    Args:
        R: measured attitudes of the object in base, shape (n, 3, 3), evenly apart.
        p: its measured centres in base [m], shape (n, 3).
        wrench: measured, about the object's centre, object axes [N, N m], shape (n, 6).
        step: between two samples [s].
        prior: deviation of each parameter, shape (10,).
        weighing: what was measured at rest; None: nothing.

    Raises:
        OperatorError: the object hardly moved, an axis of the wrench never changed, or what was found is no
            body's.
    """
    moved = _moved(R, p, wrench, step, prior)
    rows = None if weighing is None else weighed(weighing.rests, weighing.sensed)
    if weighing is None or rows is None:
        return _found(moved, prior)
    placed = weighing.sensed.placed
    joined = _joined(moved, rows, UNFELT if placed else DOUBT)
    if joined is None and not placed:
        raise OperatorError(
            "calibrate: what the load weighs and its inertia contradict each other: look at sensor.sign, "
            "sensor.rotvec_deg, sensor.position_mm and what touches the mock-up, then repeat it"
        )
    known = joined or moved
    value, mended = consistent(known.value, weighing.held, known.information)
    if mended:
        away = value - known.value
        if away @ known.information @ away > chdtri(PARAMETERS, DOUBT):
            raise OperatorError(
                "calibrate: what was found is no body's, and chance does not explain it: look at the "
                "wrench's sign and frame (`zerog check-wrench`) and at mockup.mass_kg, inertia_kg_m2"
            )
    offset = found_offset(rows, weighing.sensed, value, known.information, joined is not None)
    found = _found(known, prior)
    return FoundLoad(value, found.interval, found.shown, found.noise, joined is not None, offset, mended)


def _joined(moved: _Evidence, rows: Weighed, doubt: float) -> _Evidence | None:
    """Return what motion and rests say together; None if that cannot both be true."""
    information, said, freedom = rows.evidence()
    total = moved.information + information
    value = np.asarray(np.linalg.solve(total, moved.information @ moved.value + said), np.float64)
    alone = np.linalg.pinv(information, rcond=1e-9, hermitian=True) @ said
    apart = [
        (value - one) @ known @ (value - one)
        for one, known in ((moved.value, moved.information), (alone, information))
    ]
    rank = np.linalg.matrix_rank(information, rtol=1e-9, hermitian=True)
    if sum(apart) > chdtri(rank, doubt):
        return None
    return _Evidence(value, total, min(moved.freedom, freedom), moved.noise)


def _found(known: _Evidence, prior: Array) -> FoundLoad:
    """Return parameters with their intervals, by Student's quantile."""
    deviation = np.sqrt(np.diag(np.linalg.inv(known.information)))
    interval = float(stdtrit(known.freedom, 0.5 + 0.5 * CONFIDENCE)) * deviation
    return FoundLoad(known.value, interval, deviation < SHOWN * prior, known.noise)


def _moved(R: Array, p: Array, wrench: Array, step: float, prior: Array) -> _Evidence:
    """Return what the motion says; for arguments and errors see `found_load`."""
    speed = np.linalg.norm(np.diff(p, axis=0), axis=1) / step
    if np.count_nonzero(speed > RESTING) * step < LEAST:
        raise OperatorError("calibrate: the object hardly moved; hold on until the motion is over")
    if not np.ptp(wrench, axis=0).all():
        raise OperatorError("calibrate: the wrench stays the same while the arm moves: is the sensor there?")
    Y, w, nuisance = _rows(R, p, wrench, step)
    filters = np.zeros((2, ORDER))
    for _ in range(ROUNDS):
        value, covariance, left, scale = _fit(Y, w, nuisance, prior, filters)
        filters = np.array([autoregression(left[:, part]) for part in (slice(0, 3), slice(3, 6))])
    value, covariance, left, scale = _fit(Y, w, nuisance, prior, filters)
    # theory: in the motion's band 2 B T values of an axis are independent; what the fit takes out of them is
    # missing in what is left, by which the noise is judged
    in_band = 6.0 * 2.0 * BAND * step * len(p)
    freedom = in_band - 6 * nuisance.shape[1] - PARAMETERS
    scaled: Array = np.linalg.inv(covariance / np.outer(prior, prior)) / np.outer(prior, prior)
    return _Evidence(value, scaled * (freedom / in_band), freedom, scale)


def _rows(R: Array, p: Array, wrench: Array, step: float) -> tuple[Array, Array, Array]:
    """Return what parameters are worth (n, 6, 10), the wrench (n, 6) and offsets' shapes (n, k), smoothed."""
    every = max(1, round(APART / step))
    Y = regressor(raw_motion(R, p, step))
    turned = np.einsum("ji,njk->nik", R[0], R)
    tilt = 0.5 * np.stack([turned[:, 2, 1] - turned[:, 1, 2], turned[:, 0, 2] - turned[:, 2, 0],
                           turned[:, 1, 0] - turned[:, 0, 1]], axis=1)  # fmt: skip
    time = np.linspace(-1.0, 1.0, len(p))
    pose = np.column_stack([np.ones(len(p)), time, p - p.mean(axis=0), tilt])[1:-1]

    return (smoothed(-Y, step)[::every], smoothed(wrench[1:-1], step)[::every], smoothed(pose, step)[::every])


def smoothed(x: Array, step: float) -> Array:
    """Return what evenly spaced rows are smoothed by the fit's kernel, shorter by it; `step` is [s]."""
    half = max(1, round(SMOOTHING / step))
    kernel = np.hanning(2 * half + 3)[1:-1]
    kernel /= kernel.sum()
    flat = x.reshape(len(x), -1)
    columns = [np.convolve(column, kernel, "valid") for column in flat.T]
    return np.stack(columns, axis=1).reshape(-1, *x.shape[1:])


def _fit(
    Y: Array, w: Array, nuisance: Array, prior: Array, filters: Array
) -> tuple[Array, Array, Array, Array]:
    """Return parameters, their covariance, what is left (n, 6) before whitening, and its whitened deviation.

    Offsets are taken out of each axis by projection, whereupon all axes together show the parameters.
    """
    A, b, scales, parts = [], [], np.zeros(2), []
    for kind in range(2):
        N, _ = np.linalg.qr(whitened(nuisance, filters[kind]))
        for i in range(3 * kind, 3 * kind + 3):
            rows, seen = whitened(Y[:, i], filters[kind]), whitened(w[:, i], filters[kind])
            parts.append((kind, rows - N @ (N.T @ rows), seen - N @ (N.T @ seen)))
    value = np.zeros(PARAMETERS)
    for _ in range(2):  # the first time all axes count alike by their size
        for kind in range(2):
            left = np.concatenate([b_i - A_i @ value for k, A_i, b_i in parts if k == kind])
            scales[kind] = np.sqrt(np.sum(left**2) / (len(left) - 3 * nuisance.shape[1]))
        A = [A_i / scales[k] for k, A_i, _ in parts] + [np.diag(1.0 / prior)]
        b = [b_i / scales[k] for k, _, b_i in parts] + [np.zeros(PARAMETERS)]
        rows, seen = np.concatenate(A) * prior, np.concatenate(b)
        normal = np.linalg.inv(rows.T @ rows)  # scaled by the prior: well conditioned, at least one
        covariance, value = normal * np.outer(prior, prior), normal @ (rows.T @ seen) * prior
    rest = w - Y @ value
    N, _ = np.linalg.qr(nuisance)
    return value, covariance, rest - N @ (N.T @ rest), scales
