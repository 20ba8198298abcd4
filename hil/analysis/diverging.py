"""Whether a run's compensation must diverge at its port: what no command, trial or program may begin."""

from pathlib import Path

from hil.configuration import Configuration


def must_diverge(c: Configuration, path: Path) -> str:
    """Return in a line why a run's compensation must diverge at its port; empty if it need not."""
    scheme = compensation(c)
    if c.port is None or not scheme:
        return ""
    from hil.analysis.contact_setting import contact_setting
    from hil.force.map.rule import advise
    from hil.force.map.words import divergence

    setting = contact_setting(c)
    advice = advise(setting.contact, setting.loop, setting.touch)
    text = divergence(scheme, setting.contact, setting.loop, advice)
    return f"{path}: {text}" if text else ""


def compensation(c: Configuration) -> str:
    """Return how a lasting contact is compensated; empty: force enters as pushes only."""
    return "" if c.force.mode == "pushes" else str(c.force.compensation)
