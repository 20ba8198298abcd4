"""What the controller says of itself in every packet, judged: drives, error bits, warnings, strategy.

Joint positions move the arm under position control and under joint impedance control, and under nothing
else; flags and strategy are fixed as long as a session lasts. What the error and warning bits of a drive
stand for is the controller's matter: here an error ends motion, and a warning is shown.
"""

from drivers.fri.layout import ALL_DRIVES, JOINTS, ControlStrategy
from drivers.fri.session import FriSample
from hil.configuration.schema import Fri

STRATEGIES = {
    "position": (ControlStrategy.POSITION,),
    "joint_impedance": (ControlStrategy.JOINT_IMPEDANCE,),
    "either": (ControlStrategy.POSITION, ControlStrategy.JOINT_IMPEDANCE),
}
KRL_STRATEGY = {ControlStrategy.POSITION: 10, ControlStrategy.JOINT_IMPEDANCE: 30}


def drive_error(sample: FriSample) -> str:
    """Return which drives report an error, and what to do; empty if none does."""
    if not sample.error:
        return ""
    return f"the controller reports an error of {drives(sample.error)}: clear it there, then reset"


def wrong_strategy(sample: FriSample, fri: Fri) -> str:
    """Return that joint positions do not move the arm as they should, and the remedy; empty if they do."""
    allowed = STRATEGIES[fri.control_strategy]
    if sample.control in allowed:
        return ""
    remedy = " or ".join(f"{KRL_STRATEGY[strategy]} ({in_words(strategy)})" for strategy in allowed)
    return (
        f"the controller's strategy is {in_words(sample.control)}: set $STIFFNESS.STRATEGY in its program to "
        f'{remedy} before friStart (fri.control_strategy = "{fri.control_strategy}")'
    )


def drive_warning(sample: FriSample) -> str:
    """Return which drives warn, and which are off while others are on; empty if none."""
    found = []
    if sample.warning:
        found.append(f"the controller warns of {drives(sample.warning)}")
    off = ALL_DRIVES & ~sample.drives
    if off and off != ALL_DRIVES:
        found.append(f"off: {drives(off)}")
    return "; ".join(found)


def drives(bits: int) -> str:
    """Return in words which drives the bits stand for: A1 is the lowest."""
    names = [f"A{i + 1}" if i < JOINTS else f"bit {i}" for i in range(16) if bits >> i & 1]
    return ", ".join(names)


def in_words(strategy: int) -> str:
    """Return a strategy's name as people say it."""
    known = strategy in list(ControlStrategy)
    return ControlStrategy(strategy).name.lower().replace("_", " ") if known else f"number {strategy}"
