"""What still holds: by host time, in both directions."""

import pytest

from hil.common.freshness import AHEAD_NS, is_fresh
from hil.processes.bridge.link_judge import MAX_UNCERTAINTY_NS

NOW_NS, TIMEOUT_NS = 5_000_000_000, 300_000_000


@pytest.mark.parametrize(
    ("age_ns", "fresh"),
    [
        (0, True),
        (TIMEOUT_NS, True),
        (TIMEOUT_NS + 1, False),
        (-AHEAD_NS, True),
        (-AHEAD_NS - 1, False),
        (-(2**62), False),
        (2**62, False),
    ],
)
def test_what_is_old_and_what_is_yet_to_come_is_not_fresh(age_ns: int, fresh: bool) -> None:
    """To the nanosecond, on both sides."""
    assert is_fresh(NOW_NS, NOW_NS - age_ns, TIMEOUT_NS) is fresh


def test_the_other_hosts_clock_is_known_well_enough() -> None:
    """What the bridge lets through may seem to lie ahead by what the clocks' offset is known to, no more."""
    assert AHEAD_NS == MAX_UNCERTAINTY_NS
