"""For whom emulated time waits, and for how long."""

import pytest

from drivers.emulation.patience import ALLOWED, PLAN_NS, Patience
from hil.common.run_clock import PATIENCE_NS, Mark
from hil.configuration.schema import Fri, Interpolation
from hil.loop.carried.vehicle import STATE_TIMEOUT_NS
from hil.loop.judging.liveness import SILENT_NS, STATE_LATE_NS
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS

MS = 1_000_000
T = 100_000 * MS


def marks(**lag_ms: float) -> list[int]:
    """All have come as far as `T`, but for those that lag; `none` is the mark of nobody."""
    found = dict.fromkeys(Mark, T) | {Mark[name]: round(T - lag * MS) for name, lag in lag_ms.items()}
    return [found[mark] for mark in Mark]


def test_nobody_waits_where_all_keep_up() -> None:
    """Also not at the very bounds, nor where nobody has told anything yet."""
    at_bounds = [T - ALLOWED[mark][0] if mark in ALLOWED else T for mark in Mark]
    for now in (marks(), at_bounds, [0] * len(Mark)):
        assert Patience().waits_for(1, T, now, False) == ""


@pytest.mark.parametrize(("mark", "process"), [(mark, name) for mark, (_, name) in ALLOWED.items()])
def test_a_mark_that_lags_is_waited_for(mark: Mark, process: str) -> None:
    """A millisecond beyond what is allowed; with the mark at 0 there is nobody to wait for."""
    late = marks()
    late[mark] -= ALLOWED[mark][0] + MS
    assert Patience().waits_for(1, T, late, False) == process
    late[mark] = 0
    assert Patience().waits_for(1, T, late, False) == ""


def test_an_answer_is_waited_for_where_a_driver_is_at_work() -> None:
    """Before there is one, a robot sends into the void as ever."""
    assert Patience().waits_for(1, T, marks(), True) == "driver"
    nobody = marks()
    nobody[Mark.ORDERED] = 0
    assert Patience().waits_for(1, T, nobody, True) == ""


def test_a_plan_is_waited_for_from_when_it_is_owed() -> None:
    """The first prediction after a long rest is as fresh as any; each plan that comes begins anew."""
    patience, now = Patience(), marks(PLANNED=60_000)
    step = PLAN_NS // 2
    assert patience.waits_for(1, T, now, False) == ""  # owed from now on
    assert patience.waits_for(1, T + step, [t + step if t > T - MS else t for t in now], False) == ""
    late = [T + 3 * step] * len(Mark)
    late[Mark.PREDICTED], late[Mark.PLANNED] = T, now[Mark.PLANNED]
    assert patience.waits_for(1, T + 3 * step, late, False) == "planner"
    late[Mark.PLANNED] += 1  # an older plan has come: the newest prediction is still without
    assert patience.waits_for(1, T + 3 * step, late, False) == ""
    late[Mark.PLANNED] = T
    assert patience.waits_for(1, T + 9 * step, [T + 9 * step, *late[1:3], *[T + 9 * step] * 3], False) == ""


def test_patience_ends_and_begins_anew_when_all_is_paid() -> None:
    """A process that hangs is waited for once; while anything is owed, nothing more is waited for."""
    patience, host = Patience(), 10**12
    hangs, both = marks(TURNED=1000), marks(TURNED=1000, HEARD=1000)
    assert patience.waits_for(host, T, hangs, False) == "sim"
    assert patience.waits_for(host + PATIENCE_NS - 1, T, hangs, False) == "sim"
    for later in (0, 1, PATIENCE_NS, 7 * PATIENCE_NS):
        assert patience.waits_for(host + PATIENCE_NS + later, T, hangs, False) == ""
        assert patience.waits_for(host + PATIENCE_NS + later, T, both, True) == ""
    assert patience.waits_for(host + 9 * PATIENCE_NS, T, marks(), False) == ""
    assert patience.waits_for(host + 9 * PATIENCE_NS, T, hangs, False) == "sim"


def test_what_is_allowed_lies_far_below_what_is_borne() -> None:
    """So the driver never sees a plan or an order, nor the daemon a process, that is late by two thirds."""
    latest = dict(ALLOWED)
    assert 1.5 * latest[Mark.ORDERED][0] < MODE_TIMEOUT_NS
    assert 1.5 * latest[Mark.HEARD][0] < min(SILENT_NS, STATE_LATE_NS + 1e9 * Fri().timeout)
    assert 1.5 * latest[Mark.CARRIED][0] < STATE_TIMEOUT_NS
    # a plan rests on the prediction before the one that waits for its plan, 40 ms earlier
    assert 1.5 * (PLAN_NS + latest[Mark.TURNED][0] + 40 * MS) < 1e9 * Interpolation().plan_timeout
