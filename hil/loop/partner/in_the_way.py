"""Whether a second arm is in the way of motions that an operator's hand holds on to: they yield to nobody."""

import math

from hil.configuration import Configuration
from hil.messaging.grasp_messages import GraspReport, PartnerWords

UNKNOWN = "nobody says where the second arm is: start its client (`zerog partner`)"


def in_the_way(configuration: Configuration, report: GraspReport | None) -> str:
    """Return why the arm may not be brought anywhere by hand, in words; empty if it may.

    Args:
        configuration: of the run.
        report: the driver's newest; None: there is none yet.
    """
    grasp = configuration.grasp
    if grasp is None:
        return ""
    if report is None or not math.isfinite(report.gap):
        return UNKNOWN
    if report.gap >= grasp.near:
        return ""
    return (
        f"a pad of the second arm is {1e3 * max(0.0, report.gap):.0f} mm from the bar, grasp.near_mm = "
        f"{1e3 * grasp.near:g} at least: let it go and back away first"
    )


def holds_on(words: PartnerWords, touch_force: float) -> bool:
    """Return whether a gripper is told to close, presses with as much as a touch [N], or says no numbers."""
    return words.closed or not words.pads.max() <= touch_force
