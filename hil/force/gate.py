"""When a contact opens and when it closes, from the force less its bias."""

from numba import njit

from hil.force.rows import Record

BACK = 6  # cycles: a contact began so long before its force passed the gate
TWICE, AT_ONCE = 2, 3.0  # times above the gate in a row; times the gate that opens by itself
QUIET = 9  # cycles within the gate end a contact
SURE = 0.5  # share of its stiffness within which a contact must be known to be somewhere else ...
SPRUNG = 0.25  # ... and of the greatest force that its compression must explain


@njit(cache=True, error_model="numpy")
def opens(c: Record, s: Record, force: float) -> bool:
    """Return whether this force [N] opens a contact."""
    s.above = s.above + 1 if force > c.gate else 0
    return s.above >= TWICE or force > AT_ONCE * c.gate


@njit(cache=True, error_model="numpy")
def listen(c: Record, s: Record, row: Record) -> None:
    """Count the cycles in which nothing was felt.

    A wrong bias can hold the gate open for ever: a small force counts for nothing where the arm is out of
    the contact.
    """
    if row.usable == 0:
        return
    s.quiet = 0 if row.on == 1 else s.quiet + 1


@njit(cache=True, error_model="numpy")
def out_of_reach(c: Record, s: Record, row: Record) -> bool:
    """Return whether the arm is where the contact that was identified cannot be.

    A soft one is at first taken for a damper without a place: that tells nothing of where it is.
    """
    if s.known == 0 or s.pulls == 1 or abs(row.force) > AT_ONCE * c.gate:
        return False
    if s.k_sd > SURE * s.k or s.k * (s.most_c - s.mobility * s.most_second - s.zero) < SPRUNG * s.most:
        return False
    margin = 5.0 * c.position_noise + abs(s.touch_rate) * c.step
    return row.c - s.mobility * row.second - s.drift * row.since < s.zero - margin
