"""The operator's rule: what a mock-up at a port may be asked for, in numbers.

theory: docs/understand/contact_loop.md. Accuracy and reach of scheme S are bounds that its own loop was
measured by; all else follows from the contact and the delay.
"""

import math
from dataclasses import dataclass

from hil.force.map.bounce import bounces
from hil.force.map.contact import Contact
from hil.force.map.critical_delay import critical_delay
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import growth
from hil.force.map.restitution import ideal_restitution

ERROR_WANTED = 0.05  # of restitution: beyond it a contact counts as not accurate
OWN_ERROR, FAR_ERROR = 0.01, 0.032  # of S with exact drives: up to w T = NEAR, and up to w T = FAR
NEAR, FAR = 1.27, 4.0
NOISE_FACTOR, SKEW_FACTOR = 0.6, 1.5  # of the position's noise and of the skew
DEVICE_WT = 0.5  # of a device that takes a hard port's place


@dataclass(frozen=True)
class Touch:
    """How a port is touched, and what with.

    Attributes:
        speed: of approach along the line of contact [m/s].
        force_stop: real force at which the run stops [N].
        position_noise: standard deviation of a measured position [m].
        skew: between a wrench and the joints that come with it [s].
        hardening: peak force of the port over that of the linear one it is taken for.
    """

    speed: float
    force_stop: float
    position_noise: float = 5e-6
    skew: float = 0.0
    hardening: float = 1.0


@dataclass(frozen=True)
class Advice:
    """What comes of a contact in a loop.

    Attributes:
        rate_delay: rate of the contact times whole delay, `w T`.
        ideal: restitution as it should be.
        bare: that of the loop without compensation.
        bare_peak: real force of that touch [N].
        lead: restitution of the loop with lead alone.
        error: bound on the error of restitution by scheme S at the touch's speed.
        critical: delay from which on a pressed contact diverges without compensation [s].
        bare_growth: rate at which it does at this delay [1/s]; negative: it comes to rest.
        lead_growth: the same with lead alone.
        peak: bound on the real force at the touch's speed, compensated [N].
        slowest: speed from which on the positions are fine enough for `ERROR_WANTED` [m/s]; inf: none is.
        fastest: speed at which the force stop acts [m/s].
        device: stiffness of a device in series that keeps w T of the real part at 0.5 [N/m].
    """

    rate_delay: float
    ideal: float
    bare: float
    bare_peak: float
    lead: float
    error: float
    critical: float
    bare_growth: float
    lead_growth: float
    peak: float
    slowest: float
    fastest: float
    device: float

    @property
    def needs_device(self) -> bool:
        """Whether the arm runs in deeper than the contact's own depth before anything can react."""
        return self.rate_delay > 1.0


def advise(contact: Contact, loop: LoopDelay, touch: Touch) -> Advice:
    """Return what the rule says of a contact."""
    twice = bounces([contact, contact], [loop, loop], [0.0, loop.interface])
    bare, lead = twice.restitution
    force = peak_factor(contact, loop, float(twice.peak[1])) * impedance(contact) * touch.hardening
    return Advice(
        rate_delay=contact.rate * loop.total,
        ideal=ideal_restitution(contact.ratio),
        bare=float(bare),
        bare_peak=touch.speed * float(twice.peak[0]) * impedance(contact) * touch.hardening,
        lead=float(lead),
        error=expected_error(contact.rate, loop.total, touch),
        critical=critical_delay(contact, loop),
        bare_growth=growth(contact, loop),
        lead_growth=growth(contact, loop, loop.interface),
        peak=touch.speed * force,
        slowest=slowest(contact.rate, loop.total, touch),
        fastest=touch.force_stop / force,
        device=device_stiffness(contact, loop.total),
    )


def impedance(contact: Contact) -> float:
    """Return the peak force of the undamped contact over the speed, `sqrt(k mass)` [N s/m]."""
    return math.sqrt(contact.stiffness * contact.reduced_mass)


def peak_factor(contact: Contact, loop: LoopDelay, led: float = 0.0) -> float:
    """Return by how much the real force may pass `v sqrt(k mass)`.

    theory: `max(1, w T)`: nothing reacts before the arm is `v T` deep; a damper has
    `d v = 2 z v sqrt(k mass)` at the touch. `led` is what the loop with lead came to, 0: not known.
    """
    return max(1.0, contact.rate * loop.total, 2.0 * contact.ratio, led)


def expected_error(rate: float, delay: float, touch: Touch) -> float:
    """Return the bound on the error of restitution by scheme S; beyond w T = 4 it is not known: nan.

    theory: `|e - e_ideal| <= 0.6 sigma_x w / v + 1.5 w tau + own`.
    """
    noise = NOISE_FACTOR * touch.position_noise * rate / touch.speed
    return noise + SKEW_FACTOR * rate * touch.skew + own_error(rate * delay)


def own_error(wT: float) -> float:
    """Return what scheme S errs by itself at most: 0.01 to w T = 1.27, up to 0.032 at 4, then unknown."""
    if wT > FAR:
        return math.nan
    return OWN_ERROR + (FAR_ERROR - OWN_ERROR) * max(0.0, math.log(wT / NEAR) / math.log(FAR / NEAR))


def slowest(rate: float, delay: float, touch: Touch) -> float:
    """Return the speed [m/s] from which on the expected error is at most `ERROR_WANTED`; inf: none is."""
    left = ERROR_WANTED - own_error(rate * delay) - SKEW_FACTOR * rate * touch.skew
    return NOISE_FACTOR * touch.position_noise * rate / left if left > 0.0 else math.inf


def device_stiffness(contact: Contact, delay: float) -> float:
    """Return the stiffness [N/m] below which a device keeps `w T <= 0.5`: `mass / (4 T^2)`."""
    return contact.reduced_mass * (DEVICE_WT / delay) ** 2
