"""The robot's own part: from a command to its being measured, identified over a whole recording.

theory: a dead time `D` and a first-order lag `a` act on the commanded path, which is linear between
cycles. For one `a` the lagged command `z` is exact at the cycles; with `D = (i + f) T`, `0 <= f < 1`, the
misfit `sum |y_k - (1 - f) z_(k-i) - f z_(k-i-1)|^2` is a parabola in `f`, so its least value over `D` is
found without a search. `a` is searched by golden section. From both signals their moving mean is taken
away first: that leaves a delay alone, and a standing offset (sag) does not survive it. Low frequencies
see `D + a`.

A cycle's command counts from its packet's sample, as in `hil.loop.driver.interface_delay`: a plant
without any delay of its own would show one cycle, in which the controller goes to the new set-point.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.signal import lfilter

from hil.analysis.latency.recording import SAMPLE, SEQUENCE, LatencyRecording, packet_numbers
from hil.common.arrays import Array, BoolArray, IntArray
from hil.loop.driver.interface_delay import InterfaceDelay

LONGEST_DELAY = 0.6  # [s]
LONGEST_LAG = 0.08  # [s]
LAGS_TRIED = 9  # before the golden section
AROUND = 6  # cycles of dead time tried on either side of what the cross-correlation says
MEAN = 2.0  # [s] over which the moving mean is taken
LEAST_STRETCH = 4.0  # [s] of commands without a break
LONGEST_HOLE = 0.05  # [s] that a stretch may have
LEAST_MOTION = 1e-3  # [rad] root mean square about the moving mean, over the joints
GOOD = 0.9  # share of the measured motion that the command must explain


@dataclass(frozen=True)
class RobotPart:
    """What lies between a command and its being measured [s].

    Attributes:
        cross_correlation: delay at which commanded and measured motion are most alike.
        dead_time: of the fitted plant.
        lag: of the fitted plant, first order.
        residual: of the fit, root mean square over that of the measured motion.
        on_line: what the driver's own estimate says at the end of the recording; None if it is not sure.
        plant: what the plant has without an interface delay: one cycle, and the configured lag.
    """

    cross_correlation: float
    dead_time: float
    lag: float
    residual: float
    on_line: float | None
    plant: float

    @property
    def total(self) -> float:
        """The delay that low frequencies see, from a packet whose answer commands to the measurement."""
        return self.dead_time + self.lag

    @property
    def identified(self) -> float:
        """The interface's own delay: the total without what the plant always has."""
        return self.total - self.plant


@dataclass(frozen=True, eq=False)
class _Stretch:
    """Commands and measurements about their moving means, on an even grid, one row a cycle."""

    command: Array  # (n, 7)
    measured: Array  # (n, 7)
    weight: Array  # (n,), 0 for rows that are bridged or that the longest delay reaches back from


def robot_part(recording: LatencyRecording) -> RobotPart | None:
    """Return the robot's part, or None where the arm did not move enough to tell."""
    c = recording.configuration
    T = c.fri.sample_time
    cycles = recording.cycles
    numbers = packet_numbers(cycles.counts[:, SEQUENCE], cycles.stamps[:, SAMPLE], T)
    stretches = [
        _stretch(numbers[rows], cycles.q_command[rows], cycles.q_measured[rows], T)
        for rows in _unbroken(numbers, recording.commanding, T)
    ]
    rows = sum(float(stretch.weight.sum()) for stretch in stretches)
    power = sum(float(stretch.weight @ np.sum(stretch.measured**2, axis=1)) for stretch in stretches)
    if not rows or np.sqrt(power / rows) < LEAST_MOTION:
        return None
    apex = _cross_correlation(stretches, T)
    dead_time, lag, misfit = _fit(stretches, apex, T)
    if misfit > (1.0 - GOOD) * power:
        return None
    stiff = c.robot.kind == "emulated"
    return RobotPart(
        cross_correlation=apex,
        dead_time=dead_time,
        lag=lag,
        residual=float(np.sqrt(misfit / power)),
        on_line=_on_line(recording),
        plant=T + (c.emulator.lag if stiff else 0.0),
    )


def _unbroken(numbers: IntArray, commanding: BoolArray, T: float) -> list[slice]:
    """Return the rows of stretches in which commands moved the arm, without long holes."""
    if not len(numbers):
        return []
    broken = np.diff(numbers) * T > LONGEST_HOLE
    broken |= np.diff(numbers) <= 0
    broken |= commanding[1:] != commanding[:-1]
    edges = [0, *(np.flatnonzero(broken) + 1).tolist(), len(numbers)]
    return [
        slice(first, last)
        for first, last in itertools.pairwise(edges)
        if commanding[first] and (numbers[last - 1] - numbers[first]) * T >= LEAST_STRETCH
    ]


def _stretch(numbers: IntArray, command: Array, measured: Array, T: float) -> _Stretch:
    """Return a stretch on an even grid; holes are bridged by straight lines."""
    grid = np.arange(numbers[0], numbers[-1] + 1)
    weight = np.zeros(len(grid))
    weight[numbers - numbers[0]] = 1.0
    half = round(0.5 * MEAN / T)
    weight = weight[half:-half]
    weight[: _longest(T)] = 0.0

    def about_mean(q: Array) -> Array:
        even = np.column_stack([np.interp(grid, numbers, q[:, joint]) for joint in range(q.shape[1])])
        total = np.cumsum(np.concatenate([np.zeros((1, even.shape[1])), even - even[0]]), axis=0)
        mean = (total[2 * half + 1 :] - total[: -2 * half - 1]) / (2 * half + 1)
        found: Array = even[half:-half] - even[0] - mean
        return found

    return _Stretch(about_mean(command), about_mean(measured), weight)


def _longest(T: float) -> int:
    """Return the cycles of the longest delay looked for, and what the fit takes beyond it."""
    return round(LONGEST_DELAY / T) + AROUND + 1


def _products(stretches: list[_Stretch], lag: float, T: float, lags: range) -> Array:
    """Return weighted sums of `y y`, `y z_i`, `z_i z_i` and `z_i z_(i+1)`, one row a lag, (lags, 4).

    Args:
        stretches: measurements `y` and commands.
        lag: of the first order, behind which the commands are `z` [s].
        T: cycle [s].
        lags: consecutive `i`; the last row's last sum is not used.
    """
    sums = np.zeros((len(lags), 4))
    for stretch in stretches:
        z = _lagged(stretch.command, lag, T)
        y, first, n = stretch.measured, lags[-1], len(z)
        weight = stretch.weight[first:]
        weighted = weight[:, None] * y[first:]
        square = np.einsum("ij,ij->i", z, z)
        pair = np.concatenate([[0.0], np.einsum("ij,ij->i", z[1:], z[:-1])])
        sums[:, 0] += np.vdot(weighted, y[first:])
        for row, i in enumerate(lags):
            rows = slice(first - i, n - i)
            sums[row, 1] += np.vdot(weighted, z[rows])
            sums[row, 2] += weight @ square[rows]
            sums[row, 3] += weight @ pair[rows]
    return sums


def _cross_correlation(stretches: list[_Stretch], T: float) -> float:
    """Return the delay [s] at which the squared difference is least, refined by a parabola."""
    lags = range(round(LONGEST_DELAY / T) + 1)
    yy, yz, zz, _ = _products(stretches, 0.0, T, lags).T
    misfits = yy - 2.0 * yz + zz
    i = int(np.argmin(misfits))
    if i in (0, lags[-1]):
        return i * T
    below, above = misfits[i - 1] - misfits[i], misfits[i + 1] - misfits[i]
    return float((i + 0.5 * (below - above) / (below + above)) * T)


def _fit(stretches: list[_Stretch], apex: float, T: float) -> tuple[float, float, float]:
    """Return dead time [s], lag [s] and the sum of squares that fit leaves [rad2]."""

    def misfit(lag: float) -> float:
        return _dead_time(stretches, lag, apex, T)[1]

    tried = np.linspace(0.0, min(LONGEST_LAG, max(apex, T)), LAGS_TRIED)
    best = int(np.argmin([misfit(lag) for lag in tried]))
    bounds = (tried[max(best - 1, 0)], tried[min(best + 1, LAGS_TRIED - 1)])
    found = minimize_scalar(misfit, bounds=bounds, method="bounded", options={"xatol": 1e-5})
    lag = float(found.x)
    return (*_dead_time(stretches, lag, apex, T)[:1], lag, float(found.fun))


def _dead_time(stretches: list[_Stretch], lag: float, apex: float, T: float) -> tuple[float, float]:
    """Return the best dead time [s] beside a lag [s], and the sum of squares it leaves [rad2]."""
    middle = round((apex - lag) / T)
    lags = range(max(0, middle - AROUND), middle + AROUND + 1)
    yy, yz, zz, zz_next = _products(stretches, lag, T, lags).T
    # sums of |y - z_i|^2, (y - z_i)(z_(i+1) - z_i) and |z_(i+1) - z_i|^2 make the parabola in f
    square = yy[:-1] - 2.0 * yz[:-1] + zz[:-1]
    product = yz[1:] - yz[:-1] - zz_next[:-1] + zz[:-1]
    step = zz[1:] + zz[:-1] - 2.0 * zz_next[:-1]
    f = np.clip(product / np.maximum(step, 1e-300), 0.0, 1.0)
    left = square - 2.0 * f * product + f * f * step
    best = int(np.argmin(left))
    return (lags[best] + float(f[best])) * T, float(left[best])


def _lagged(command: Array, lag: float, T: float) -> Array:
    """Return a command path behind a first-order lag [s], exact for a path linear between cycles."""
    if lag < 1e-3 * T:
        return command
    a = float(np.exp(-T / lag))
    at_end = 1.0 - lag / T * (1.0 - a)
    at_start = 1.0 - a - at_end
    found: Array = lfilter([at_end, at_start], [1.0, -a], command, axis=0)
    return found


def _on_line(recording: LatencyRecording) -> float | None:
    """Return what the driver's own estimate comes to over the same cycles [s]."""
    c, cycles = recording.configuration, recording.cycles
    estimator = InterfaceDelay(c.interpolation.lead_time, c.fri.sample_time)
    for commanding, command, measured in zip(
        recording.commanding, cycles.q_command, cycles.q_measured, strict=True
    ):
        if commanding:
            estimator.step(command, measured)
        else:
            estimator.interrupt()
    return estimator.estimate if estimator.confident else None
