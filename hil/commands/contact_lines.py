"""The four lines of `zerog check` about a port, and a fifth where half of the contact is virtual."""

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hil.analysis.diverging import compensation
from hil.configuration import Configuration

if TYPE_CHECKING:
    from hil.force.map.contact import Contact
    from hil.force.map.loop_delay import LoopDelay

FAR_TARGET = 2.05  # w T of a target up to which hybrid contacts were measured
UNLIKE = 0.2  # share by which a device may be another than it is told


def told_of_port(c: Configuration, path: Path) -> int:
    """Print what a configuration's port comes to; return 1 if its compensation must diverge there."""
    if c.port is None:
        return 0
    from hil.analysis.contact_setting import contact_setting
    from hil.force.map.rule import advise
    from hil.force.map.words import contact_in_words, divergence, excess, forces_in_words, schemes_in_words

    setting = contact_setting(c)
    contact, loop, touch = setting.contact, setting.loop, setting.touch
    advice = advise(contact, loop, touch)
    schemes, forces = schemes_in_words(advice, touch), forces_in_words(contact, advice, touch)
    print(f"contact: {contact_in_words(contact, loop, advice, setting.source)}")
    print(f"contact: {schemes[2]}; {forces[1]}; {schemes[0]}")
    print(f"contact: {forces[0]}; {forces[2]}")
    print(f"contact: {acts_here(c)}")
    if c.force.mode == "hybrid":
        told_of_target(c, contact, loop)
    if text := excess(advice, touch, contact):
        print(f"warning: {text}")
    if text := divergence(compensation(c), contact, loop, advice):
        print(f"{path}: {text}", file=sys.stderr)
        return 1
    return 0


def told_of_target(c: Configuration, real: "Contact", loop: "LoopDelay") -> None:
    """Print what is to be felt beside what is real, and what is wrong with it."""
    from hil.force.map.restitution import damping_ratio
    from hil.force.map.words import force_unit, target_in_words

    force = c.force
    assert force.target_stiffness is not None and force.device_stiffness is not None
    wanted = force.target_restitution
    ratio = None if wanted is None else damping_ratio(wanted)
    print(f"contact: {target_in_words(real, loop, force.target_stiffness, ratio)}")
    rate = math.sqrt(force.target_stiffness / real.reduced_mass)
    if rate * loop.total > FAR_TARGET:
        print(
            f"warning: force.target_stiffness_n_per_m = {force.target_stiffness:g} is w T = "
            f"{rate * loop.total:.2f}: nothing is known beyond {FAR_TARGET:g}; take "
            f"{real.reduced_mass * (FAR_TARGET / loop.total) ** 2:.3g} or less"
        )
    if not 1.0 - UNLIKE < real.stiffness / force.device_stiffness < 1.0 + UNLIKE:
        print(
            f"warning: force.device_stiffness_n_per_m = {force.device_stiffness:g}, and [port] has "
            f"{force_unit(real.stiffness)}/m with its device: the wrong one is taken until a touch has told"
        )


def acts_here(c: Configuration) -> str:
    """Return which of the ways that are compared a configuration's own is, in words."""
    if scheme := compensation(c):
        return f"here force.mode is {c.force.mode!r}, compensation {scheme!r}"
    return (
        "here force.mode is 'pushes', which is none of these: a touch is detected as a push, late, and may "
        "come back with more energy than it had; 'contact' lets its force act for as long as it lasts"
    )
