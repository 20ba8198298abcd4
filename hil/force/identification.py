"""What the contact is like: stiffness, damping and place of the touch, and the port's mass, by least squares.

`f = k (c - zero) + d c'` over the samples above the gate. Two rows more make it solvable from the third
sample on: the touch lies between two samples, and damping is not much above critical. Without the first,
damping and touch cannot be told apart while the speed has not changed.

A port of mass `m_e` gives way: its path is the second integral of the force over `m_e`, so the same fit is
tried for 25 masses. All sums are kept, so that one fit costs the same after three samples as after 250.

Noise in position and speed makes a port look softer and less damped, the more the longer it rests: what is
known of that noise is taken from the sums, and a contact at rest teaches nothing.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.force.drift import eliminate_time, speed_left
from hil.force.gate import AT_ONCE
from hil.force.rows import SUMS, Record

FEWEST = 3  # samples of a fit
FEWEST_FREE = 8  # samples from which a port may turn out to move
DAMPING_PRIOR = 1.4  # spread of d over sqrt(k M)
FREE_GAIN = 12.0  # variances that a moving port must explain ...
FREE_RATIO = 5.0  # ... and by how much less must be left; noise in position and speed alone reaches 1.7
LEAST_MOBILITY, MOBILITY_RATIO, MOBILITIES = 3e-4, 1.25, 25  # [1/kg]
DRIFT_RATIO, STILL_RATIO = 2.5, 1.2  # the same of a port that was said to drift, and once it was found to
SPRUNG = 0.1  # of the greatest force that the compression of a port that moves must explain
FASTER = 1.5  # times the speed that a port may have: what drifts faster is another thing
MOVED = 0.02  # share of k, or of 2 sqrt(k M), by which a fit must move to be taken
MOVED_LEAST = 0.003  # the same of k for a long contact, where it is known better
EXCITED, WELL_EXCITED = 4.0, 16.0  # variances of a regressor over its noise's: nothing, and all, is corrected
UNSURE_DRIFTING = 0.3  # the same where the port is found to drift
TOO_UNSURE = 0.1  # share of k: a fit less sure than the one that is held is not taken beyond it
STRONG = 10.0  # times the gate: a contact beside which a wrong bias is little
SPRING_SHARE = 0.5  # of the greatest force that the compression must explain, for a port to be one ...
SPRING_MISFIT = 0.05  # ... and rms of what it may leave, over the greatest force
PUZZLED = 0.2  # rms of what the fit leaves over the force's: no one spring is felt
PUZZLED_FROM = 12.0  # samples
SEEN = 5.0  # deviations of a position from which a compression is seen

# k, d, zero, deviations of k and d; sum of squares [N2], less what noise in positions makes, and whole
Fit = tuple[float, float, float, float, float, float, float]
LEFT, WHOLE = 5, 6


@njit(cache=True, error_model="numpy")
def forget_contact(s: Record) -> None:
    """Begin the sums anew."""
    for i in range(SUMS):
        for j in range(SUMS):
            s.sums[i, j] = 0.0
    s.weight, s.most, s.most_c, s.most_second, s.misfit = 0.0, 0.0, 0.0, 0.0, 0.0
    s.k, s.d, s.zero, s.mobility, s.k_sd, s.d_sd, s.known = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0
    s.drift, s.plain = 0.0, 0


@njit(cache=True, error_model="numpy")
def take_sample(c: Record, s: Record, row: Record) -> None:
    """Add a sample above the gate to the sums; what lies far back fades.

    Where the contact has been strong, so little as may be bias teaches nothing: a bias that goes on behind
    the contact would make it ever softer, and so reach ever farther.
    """
    if abs(row.force) < AT_ONCE * c.gate and s.most > STRONG * c.gate:
        return
    if s.weight >= 4.0 * c.window:
        s.weight *= 0.5
        for i in range(SUMS):
            for j in range(SUMS):
                s.sums[i, j] *= 0.5
    z = (row.c, row.rate, 1.0, row.second, row.first, row.force, row.since)
    for i in range(SUMS):
        for j in range(SUMS):
            s.sums[i, j] += z[i] * z[j]
    s.weight += 1.0
    if abs(row.force) > s.most:
        s.most, s.most_c, s.most_second = abs(row.force), row.c, row.second


@njit(cache=True, error_model="numpy")
def solve(
    a: tuple[float, float, float, float, float, float], b: tuple[float, float, float], use: tuple[int, int]
) -> tuple[float, float, float, float, float]:
    """Solve the normal equations of (k, d, offset), scaled by their diagonal.

    Args:
        a: matrix, upper triangle by rows.
        b: right side.
        use: whether k and d are unknown; otherwise they are 0.

    Returns:
        k, d, offset, and the diagonal of the inverse for k and d.
    """
    s0 = math.sqrt(max(a[0], 1e-300))
    s1 = math.sqrt(max(a[3], 1e-300))
    s2 = math.sqrt(max(a[5], 1e-300))
    k_on, d_on = float(use[0]), float(use[1])
    a01, a02, a12 = a[1] / (s0 * s1) * k_on * d_on, a[2] / (s0 * s2) * k_on, a[4] / (s1 * s2) * d_on
    b0, b1, b2 = b[0] / s0 * k_on, b[1] / s1 * d_on, b[2] / s2
    one = 1.0 + 1e-12
    # Cholesky's factors of a matrix with ones on its diagonal
    l10, l20 = a01 / one, a02 / one
    p1 = one - l10 * a01
    l21 = (a12 - l20 * a01) / p1
    p2 = one - l20 * a02 - l21 * l21 * p1
    y1 = b1 - l10 * b0
    y2 = b2 - l20 * b0 - l21 * y1
    t2 = y2 / p2
    t1 = y1 / p1 - l21 * t2
    t0 = b0 / one - l10 * t1 - l20 * t2
    up = l10 * l21 - l20
    inverse_k = (1.0 / one + l10 * l10 / p1 + up * up / p2) / (s0 * s0)
    inverse_d = (1.0 / p1 + l21 * l21 / p2) / (s1 * s1)
    return t0 / s0, t1 / s1, t2 / s2, inverse_k, inverse_d


@njit(cache=True, error_model="numpy")
def excitation(s: Record, i: int, noise: float) -> float:
    """Return the variance of regressor `i` in the sums over that of its noise."""
    mean = s.sums[i, 2] / s.weight
    return (s.sums[i, i] / s.weight - mean * mean) / max(noise, 1e-30)


@njit(cache=True, error_model="numpy")
def corrected_share(s: Record, i: int, noise: float) -> float:
    """Return which share of a regressor's noise may be taken from the sums."""
    return min(1.0, max(0.0, (excitation(s, i, noise) - EXCITED) / (WELL_EXCITED - EXCITED)))


@njit(cache=True, error_model="numpy")
def fit(c: Record, s: Record, G: Array, mass: float, mobility: float) -> Fit:
    """Return the fit for a port of this mobility.

    `G` are the sums, or those without time. The sums of squares are infinite where there is no contact to be
    found.
    """
    u = mobility
    depth = abs(s.most_c - u * s.most_second)
    step = abs(s.touch_rate) * c.step
    k_ref = s.most / max(depth, step, 1e-9)
    variance = c.force_noise**2
    touch = k_ref * step / math.sqrt(12.0) + c.force_noise
    touch_row = 0.0 if c.latched == 1 else variance / touch**2
    damping_row = variance / (DAMPING_PRIOR**2 * k_ref * mass)
    share_c = corrected_share(s, 0, c.noise[0, 0])
    share_rate = corrected_share(s, 1, c.noise[1, 1])
    both = min(share_c, share_rate)
    a = (
        -s.weight * share_c * c.noise[0, 0] + G[0, 0] - 2.0 * u * G[0, 3] + u * u * G[3, 3],
        -s.weight * both * c.noise[0, 1] + G[0, 1] - u * (G[0, 4] + G[1, 3]) + u * u * G[3, 4],
        G[0, 2] - u * G[2, 3],
        -s.weight * share_rate * c.noise[1, 1] + G[1, 1] - 2.0 * u * G[1, 4] + u * u * G[4, 4] + damping_row,
        G[1, 2] - u * G[2, 4],
        G[2, 2] + touch_row,
    )
    b = (G[0, 5] - u * G[3, 5], G[1, 5] - u * G[4, 5], G[2, 5])
    k, d, offset, vk, vd = solve(a, b, (1, 1))
    if d < 0.0:
        k, d, offset, vk, vd = solve(a, b, (1, 0))
    if k <= 0.0:
        k, d, offset, vk, vd = solve(a, b, (0, 1))
        k = 1e-3 * k_ref
        if d < 0.0:
            return 0.0, 0.0, 0.0, 0.0, 0.0, np.inf, np.inf
    square = G[5, 5] - 2.0 * (k * b[0] + d * b[1] + offset * b[2])
    square += k * k * a[0] + d * d * a[3] + offset * offset * a[5]
    square += 2.0 * (k * d * a[1] + k * offset * a[2] + d * offset * a[4])
    taken = k * k * share_c * c.noise[0, 0] + d * d * share_rate * c.noise[1, 1]
    taken += 2.0 * k * d * both * c.noise[0, 1]
    # a wrong position is a wrong force as well
    sigma = math.sqrt(variance + (k * c.position_noise) ** 2)
    left, whole = max(square, 0.0), max(square + s.weight * taken, 0.0)
    return k, d, -offset / k, sigma * math.sqrt(vk), sigma * math.sqrt(vd), left, whole


@njit(cache=True, error_model="numpy")
def port_mobility(c: Record, s: Record, mass: float, fixed: Fit) -> float:
    """Return one over the port's mass [1/kg]; 0 unless that explains clearly more than noise does."""
    best, found = fixed, 0.0
    by = LEFT if fixed[LEFT] > 0.0 else WHOLE
    for i in range(1, MOBILITIES):
        mobility = LEAST_MOBILITY * MOBILITY_RATIO**i
        other = fit(c, s, s.sums, mass, mobility)
        if other[by] < best[by]:  # of those that leave nothing the heaviest
            best, found = other, mobility
    return found if explains(c, s, fixed, best, FREE_RATIO) else 0.0


@njit(cache=True, error_model="numpy")
def explains(c: Record, s: Record, before: Fit, after: Fit, ratio: float) -> bool:
    """Return whether one unknown more has taken more from the sum of squares than noise would.

    Where positions are better than their noise is said to be, nothing is left either way: the whole tells.
    """
    least = c.force_noise**2
    if clearly_less(s, before[LEFT], after[LEFT], ratio, least):
        return True
    return clearly_less(s, before[WHOLE], after[WHOLE], ratio, least + (before[0] * c.position_noise) ** 2)


@njit(cache=True, error_model="numpy")
def clearly_less(s: Record, before: float, after: float, ratio: float, least: float) -> bool:
    """Return whether a sum of squares [N2] has fallen by more than noise makes it, and by this ratio.

    `least` is the variance of a sample that is said, whatever few of them show.
    """
    noise = max(after / max(s.weight - 4.0, 1.0), least)
    return bool(before - after >= FREE_GAIN * noise and before >= ratio * after)


@njit(cache=True, error_model="numpy")
def drifting(c: Record, s: Record, mass: float) -> tuple[float, Fit]:
    """Return the speed of a port that moves steadily [m/s], and the fit that goes with it."""
    k_ref = s.most / max(abs(s.most_c), abs(s.touch_rate) * c.step, 1e-9)
    expected = (c.force_noise / (k_ref * c.port_speed)) ** 2
    u, found = 0.0, (0.0, 0.0, 0.0, 0.0, 0.0, np.inf, np.inf)
    for _ in range(2):  # the damper feels the speed as well, which is known after the first round
        eliminate_time(s, u, expected)
        found = fit(c, s, s.timeless, mass, 0.0)
        if found[LEFT] == np.inf:
            break
        u = speed_left(s, found[0], found[1], -found[0] * found[2], expected)
    return u, found


@njit(cache=True, error_model="numpy")
def best_fit(c: Record, s: Record, mass: float) -> tuple[Fit, float, float]:
    """Return the fit, the port's mobility and its drift.

    A port that is free, or one that drifts, must explain clearly more than one that stands.
    """
    mobility, drift = 0.0, 0.0
    found = fit(c, s, s.sums, mass, 0.0)
    if s.weight < FEWEST_FREE or found[LEFT] == np.inf:
        return found, mobility, drift
    if c.find_port_mass == 1:
        mobility = port_mobility(c, s, mass, found)
        if mobility > 0.0:
            free = fit(c, s, s.sums, mass, mobility)
            if free[0] * abs(s.most_c - mobility * s.most_second) > SPRUNG * s.most:
                found = free
            else:  # a port that goes before the body without a spring between them is none
                mobility = 0.0
    if c.port_speed > 0.0:
        speed, other = drifting(c, s, mass)
        ratio = DRIFT_RATIO if s.drift == 0.0 else STILL_RATIO
        if abs(speed) <= FASTER * c.port_speed and explains(c, s, found, other, ratio):
            found, mobility, drift = other, 0.0, speed
    return found, mobility, drift


@njit(cache=True, error_model="numpy")
def identify(c: Record, s: Record, row: Record) -> bool:
    """Fit the contact after a sample; return whether what is held has changed.

    Where the body flies anew from the onset, small changes are not worth it and are left alone.
    """
    if s.weight < FEWEST or s.plain == 1:
        return False
    mass = 1.0 / row.inverse_mass
    found, mobility, drift = best_fit(c, s, mass)
    k, d, zero, k_sd, d_sd, square, _ = found
    if not (square < np.inf and 0.0 < k < np.inf and d < np.inf and abs(zero) < np.inf):
        return False
    s.misfit = math.sqrt(square / s.weight)
    if is_puzzling(c, s, k):
        s.plain, s.known, s.pulls, s.sticks = 1, 0, 0, 0
        s.k, s.d, s.zero, s.mobility, s.drift, s.k_sd, s.d_sd = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        return False
    unsure = TOO_UNSURE if drift == 0.0 else UNSURE_DRIFTING  # rather unsure than wrong
    if s.known == 1 and (k_sd > max(unsure * k, s.k_sd) or excitation(s, 0, c.noise[0, 0]) < WELL_EXCITED):
        return False
    if s.known == 1 and c.reintegrated == 1:
        deep = 2.0 * math.sqrt(s.k * mass)
        if (
            abs(k - s.k) < min(MOVED * s.k, max(2.0 * k_sd, MOVED_LEAST * s.k))
            and abs(d - s.d) < MOVED * deep
            and abs(zero - s.zero) < MOVED * s.most / s.k
            and abs(mobility - s.mobility) * mass < MOVED
            and abs(drift - s.drift) < MOVED * abs(s.touch_rate)
        ):
            s.d, s.d_sd = d, d_sd  # stores nothing, so it may change in place; a stiffness must not
            return False
    s.k, s.d, s.zero, s.mobility, s.k_sd, s.d_sd, s.known = k, d, zero, mobility, k_sd, d_sd, 1
    s.drift = drift
    return True


@njit(cache=True, error_model="numpy")
def is_puzzling(c: Record, s: Record, k: float) -> bool:
    """Return whether a spring of `k` [N/m] along the line explains too little beyond noise.

    So it is with pins in holes, which press from all sides.
    """
    force = math.sqrt(s.sums[5, 5] / s.weight)
    noise = math.sqrt(c.force_noise**2 + (k * c.position_noise) ** 2)
    return bool(s.weight >= PUZZLED_FROM and s.misfit > max(3.0 * noise, PUZZLED * force))


@njit(cache=True, error_model="numpy")
def is_spring(c: Record, s: Record) -> bool:
    """Return whether what touches is surely a spring that is pressed: a hand goes along with its push."""
    depth = s.most_c - s.mobility * s.most_second
    return bool(
        s.known == 1
        and s.k_sd < TOO_UNSURE * s.k
        and depth > SEEN * c.position_noise
        and s.k * depth > SPRING_SHARE * s.most
        and s.misfit < max(2.0 * c.force_noise, SPRING_MISFIT * s.most)
    )
