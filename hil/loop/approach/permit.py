"""What an operator's hand has been granted: a way, and as long as heartbeats come, motion along it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Permit:
    """The present motion by hand, as the order tells it.

    Attributes:
        session: the daemon's name for it; never given twice.
        number: of the newest heartbeat that counted.
        beat_ns: when that was sent; 0: the hand is off.
        begin: of the way [rad], 7 numbers.
        speed: of the way's fastest joint, at most [rad/s]; of an approach.
        errand: approach or calibrate.
    """

    session: int
    number: int
    beat_ns: int
    begin: tuple[float, ...]
    speed: float
    errand: str = "approach"
