"""When a contact opens and when it closes, from the force less its bias."""

from numba import njit

from hil.force.rows import Record

BACK = 6  # cycles: a contact began so long before its force passed the gate
TWICE, AT_ONCE = 2, 3.0  # times above the gate in a row; times the gate that opens by itself
QUIET = 9  # cycles within the gate end a contact
GONE_SHARE = 0.3  # of the greatest force so far


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
    """Return whether the arm is where the contact that was identified cannot be."""
    if s.known == 0 or s.pulls == 1 or abs(row.force) > AT_ONCE * c.gate:
        return False
    margin = 5.0 * c.position_noise + abs(s.touch_rate) * c.step
    return row.c - s.mobility * row.second < s.zero - margin


@njit(cache=True, error_model="numpy")
def has_gone(c: Record, s: Record, row: Record) -> bool:
    """Return whether nothing is felt where the contact that was identified should press: it has broken away.

    By so much no fit of a contact errs: three gates, and a share of the greatest force.
    """
    if row.usable == 0 or row.on == 1 or s.known == 0 or s.pulls == 1:
        return False
    law = s.k * (row.c - s.mobility * row.second - s.zero) + s.d * (row.rate - s.mobility * row.first)
    return bool(law > max(AT_ONCE * c.gate, GONE_SHARE * s.most))
