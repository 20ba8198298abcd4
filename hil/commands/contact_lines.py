"""The four lines of `zerog check` about a port, and whether the loop must diverge there."""

import sys
from pathlib import Path

from hil.configuration import Configuration


def told_of_port(c: Configuration, path: Path) -> int:
    """Print what a configuration's port comes to; return 1 if its compensation must diverge there."""
    if c.port is None:
        return 0
    from hil.commands.contact_setting import contact_setting
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
    if text := excess(advice, touch, contact):
        print(f"warning: {text}")
    if text := divergence(compensation(c), contact, loop, advice):
        print(f"{path}: {text}", file=sys.stderr)
        return 1
    return 0


def must_diverge(c: Configuration, path: Path) -> str:
    """Return in a line why a run's compensation must diverge at its port; empty if it need not."""
    scheme = compensation(c)
    if c.port is None or not scheme:
        return ""
    from hil.commands.contact_setting import contact_setting
    from hil.force.map.rule import advise
    from hil.force.map.words import divergence

    setting = contact_setting(c)
    advice = advise(setting.contact, setting.loop, setting.touch)
    text = divergence(scheme, setting.contact, setting.loop, advice)
    return f"{path}: {text}" if text else ""


def acts_here(c: Configuration) -> str:
    """Return which of the ways that are compared a configuration's own is, in words."""
    scheme = compensation(c)
    if scheme:
        return f"here force.mode is {c.force.mode!r}, compensation {scheme!r}"
    return (
        "here force.mode is 'pushes', which is none of these: a touch is detected as a push, late, and may "
        "come back with more energy than it had; 'contact' lets its force act for as long as it lasts"
    )


def compensation(c: Configuration) -> str:
    """Return how a lasting contact is compensated; empty: force enters as pushes only."""
    force = c.force
    return "" if force is None or force.mode == "pushes" else str(force.compensation)
