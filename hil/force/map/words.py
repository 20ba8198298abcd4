"""The rule in words: what a contact in a loop comes to, for those who stand beside it."""

import math

from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import least_ratio
from hil.force.map.restitution import ideal_restitution
from hil.force.map.rule import ERROR_WANTED, FAR, Advice, Touch


def contact_in_words(contact: Contact, loop: LoopDelay, advice: Advice, interface: str) -> str:
    """Return mass, port and delay in a line; `interface` says where the delay is from."""
    port = f"port of {force_unit(contact.stiffness)}/m, damping ratio {contact.ratio:.2f}"
    if math.isfinite(contact.port_mass):
        port = f"{port}, {contact.port_mass:.3g} kg and free (together {contact.reduced_mass:.3g} kg)"
    return (
        f"{contact.mass:.3g} kg on a {port}, delay {1e3 * loop.total:.1f} ms ({interface}, and half a "
        f"cycle): w T = {advice.rate_delay:.2f}"
    )


def schemes_in_words(advice: Advice, touch: Touch) -> list[str]:
    """Return what comes back without compensation, with lead and with scheme S, in a line each."""
    critical = f"critical delay {1e3 * advice.critical:.1f} ms" if math.isfinite(advice.critical) else ""
    critical = critical or "no delay is critical"
    return [
        f"without compensation it comes back {speeds(advice.bare)} (ideal {advice.ideal:.2f}) "
        f"with a peak of {advice.bare_peak:.0f} N, "
        f"and a pressed contact {pressed(advice.bare_growth)}: {critical}",
        f"with lead alone {speeds(advice.lead)}, and a pressed contact {pressed(advice.lead_growth)}",
        f"with scheme S {accuracy(advice, touch)}",
    ]


def forces_in_words(contact: Contact, advice: Advice, touch: Touch) -> list[str]:
    """Return peak force, speeds and device, in a line each."""
    lines = [
        f"real peak {advice.peak:.0f} N at {1e3 * touch.speed:.3g} mm/s where the drives follow, "
        "three times that and more where joints are at their limit of jerk; the force stop of "
        f"{touch.force_stop:.0f} N acts from {1e3 * advice.fastest:.3g} mm/s on",
        accurate_speeds(advice),
    ]
    device = f"a device of {force_unit(advice.device)}/m or softer in series, the rest virtual"
    if advice.needs_device:
        lines.append(f"beyond w T = 1 the arm is in by v T before anything can react: use {device}")
    elif contact.stiffness > advice.device:
        lines.append(f"no device is needed; for less force use {device}")
    else:
        lines.append("no device is needed")
    return lines


def speeds(restitution: float) -> str:
    """Return how fast something comes back, in words."""
    if not math.isfinite(restitution):
        return "never"
    return f"{restitution:.2f} times as fast"


def pressed(growth: float) -> str:
    """Return what becomes of a pressed contact."""
    return f"diverges (twice as far every {1e3 * math.log(2.0) / growth:.3g} ms)" if growth > 0.0 else "rests"


def accuracy(advice: Advice, touch: Touch) -> str:
    """Return how near scheme S comes."""
    if not math.isfinite(advice.error):
        return f"nothing is known beyond w T = {FAR:g}"
    told = f"accurate to {advice.error:.3f}" if advice.error < 0.2 else f"off by up to {advice.error:.2g}"
    return f"it is {told} at {1e3 * touch.speed:.3g} mm/s"


def accurate_speeds(advice: Advice) -> str:
    """Return within which speeds restitution is right and the force stop does not act."""
    low, high = 1e3 * advice.slowest, 1e3 * advice.fastest
    if not math.isfinite(low):
        return f"accurate to {ERROR_WANTED:g} at no speed"
    if low > high:
        return (
            f"accurate to {ERROR_WANTED:g} at no speed: from {low:.3g} mm/s on, and there the force stop acts"
        )
    return f"accurate to {ERROR_WANTED:g} from {low:.2g} to {high:.3g} mm/s"


def target_in_words(real: Contact, loop: LoopDelay, stiffness: float, ratio: float | None) -> str:
    """Return in a line what is to be felt and how much of it is real; `ratio` None: the real damper's."""
    rate = math.sqrt(stiffness / real.reduced_mass)
    z = real.damping / (2.0 * math.sqrt(stiffness * real.reduced_mass)) if ratio is None else ratio
    return (
        f"to be felt: {force_unit(stiffness)}/m, w T = {rate * loop.total:.2f}, restitution "
        f"{ideal_restitution(z):.2f} (damping ratio {z:.3f}); real are "
        f"{100.0 * real.stiffness / stiffness:.2g} % of that, w T = {real.rate * loop.total:.2f}"
    )


def force_unit(value: float) -> str:
    """Return a stiffness without its length, as 89 kN of 89 kN/m."""
    if value >= 1e6:
        return f"{1e-6 * value:.3g} MN"
    return f"{1e-3 * value:.3g} kN" if value >= 1e3 else f"{value:.3g} N"


def divergence(scheme: str, contact: Contact, loop: LoopDelay, advice: Advice) -> str:
    """Return why a scheme must diverge at this port, with the remedy; empty: it need not."""
    growth = {"none": advice.bare_growth, "lead": advice.lead_growth}.get(scheme, -1.0)
    if growth <= 0.0:
        return ""
    found = f"w T = {advice.rate_delay:.2f} at a delay of {1e3 * loop.total:.1f} ms"
    if scheme == "none":
        found = f"{found}, and the critical delay is {1e3 * advice.critical:.1f} ms"
    ratio = least_ratio(contact, loop, loop.interface if scheme == "lead" else 0.0)
    remedy = f"a port of damping ratio {ratio:.2f} or more (now {contact.ratio:.2f})"
    if not math.isfinite(ratio):
        remedy = "a softer port"
    elif ratio <= contact.ratio:
        remedy = f"a port that is less damped (now a ratio of {contact.ratio:.3g})"
    return (
        f"compensation {scheme!r} diverges at a port of {force_unit(contact.stiffness)}/m: {found}; use "
        f"compensation 'S', or {remedy}"
    )


def excess(advice: Advice, touch: Touch, contact: Contact) -> str:
    """Return the warning of a touch that the force stop would end, with the remedy; empty: it would not."""
    if advice.peak <= touch.force_stop:
        return ""
    device = min(advice.device, (touch.force_stop / touch.speed) ** 2 / contact.reduced_mass)
    return (
        f"at {1e3 * touch.speed:.3g} mm/s the port gives {advice.peak:.0f} N, above the force stop of "
        f"{touch.force_stop:.0f} N: approach at {1e3 * advice.fastest:.2g} mm/s or less, or use a device of "
        f"{force_unit(device)}/m"
    )
