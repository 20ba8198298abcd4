"""What the contact is like: stiffness, damping and place of the touch, and the port's mass, by least squares.

A port of mass `m_e` gives way: its path is the second integral of the force over `m_e`, so the same fit
(`hil.force.contact_fit`) is tried for 25 masses. A contact at rest teaches nothing.
"""

import math

import numpy as np
from numba import njit

from hil.force.contact_fit import LEFT, WELL_EXCITED, WHOLE, Fit, excitation, fit
from hil.force.drift import eliminate_time, speed_left
from hil.force.overshoot import PUZZLED, near_fit
from hil.force.rows import SUMS, Record, Records

FEWEST = 3  # samples of a fit
FEWEST_FREE = 8  # samples from which a port may turn out to move
FREE_GAIN = 12.0  # variances that a moving port must explain ...
FREE_RATIO = 5.0  # ... and by how much less must be left; noise in position and speed alone reaches 1.7
LEAST_MOBILITY, MOBILITY_RATIO, MOBILITIES = 3e-4, 1.25, 25  # [1/kg]
DRIFT_RATIO, STILL_RATIO = 2.5, 1.2  # the same of a port that was said to drift, and once it was found to
SPRUNG = 0.1  # of the greatest force that the compression of a port that moves must explain
FASTER = 1.5  # times the speed that a port may have: what drifts faster is another thing
MOVED = 0.02  # share of k, or of 2 sqrt(k M), by which a fit must move to be taken
MOVED_LEAST = 0.003  # the same of k for a long contact, where it is known better
UNSURE_DRIFTING = 0.3  # the same where the port is found to drift
TOO_UNSURE = 0.1  # share of k: a fit less sure than the one that is held is not taken beyond it
SPRING_SHARE = 0.5  # of the greatest force that the compression must explain, for a port to be one ...
SPRING_MISFIT = 0.05  # ... and rms of what it may leave, over the greatest force
PUZZLED_FROM = 12.0  # samples
SEEN = 5.0  # deviations of a position from which a compression is seen


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
def best_fit(c: Record, s: Record, ring: Records, mass: float) -> tuple[Fit, float, float, float]:
    """Return the fit, the port's mobility, its drift, and how many samples the fit is of.

    A port that is free, or one that drifts, must explain clearly more than one that stands.
    """
    mobility, drift, weight = 0.0, 0.0, s.weight
    found = fit(c, s, s.sums, mass, 0.0)
    if s.weight < FEWEST_FREE or found[LEFT] == np.inf:
        return found, mobility, drift, weight
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
    if mobility == 0.0 and drift == 0.0:
        found, weight = near_fit(c, s, ring, mass, found)
    return found, mobility, drift, weight


@njit(cache=True, error_model="numpy")
def identify(c: Record, s: Record, ring: Records, row: Record) -> bool:
    """Fit the contact after a sample; return whether what is held has changed.

    Where the body flies anew from the onset, small changes are not worth it and are left alone.
    """
    if s.weight < FEWEST or s.plain == 1:
        return False
    mass = 1.0 / row.inverse_mass
    found, mobility, drift, weight = best_fit(c, s, ring, mass)
    k, d, zero, k_sd, d_sd, square, _ = found
    if not (square < np.inf and 0.0 < k < np.inf and d < np.inf and abs(zero) < np.inf):
        return False
    s.misfit = math.sqrt(square / weight)
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
