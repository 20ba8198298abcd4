"""The player of a recording, with a clock that the tests make."""

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.dashboard.hearing import Last
from hil.dashboard.showing.player import LEAD_NS, LONGEST_S, Player
from hil.dashboard.showing.timeline import CELLS, DAMAGED, UNKNOWN, Timeline
from hil.dashboard.showing.words import told_of
from hil.messaging.messages import Contact, ImpulseSlice, Mode

S = 1_000_000_000
BEGIN, END = 100 * S, 160 * S
NONE = np.zeros(0)


def order(t_s: float, state: str) -> Mode:
    """An order that says a state, at a time from the beginning."""
    no_hand = np.zeros(0, np.int64)
    return Mode(BEGIN + round(t_s * S), state, 1, "", False, 0, NONE, NONE, no_hand, NONE, NONE)


def push(t_s: float, number: int, size: float = 1.0) -> ImpulseSlice:
    """The first slice of a push."""
    t_ns = BEGIN + round(t_s * S)
    impulse = np.full(6, size)
    return ImpulseSlice(t_ns, number, 0, 0, True, True, False, False, t_ns, t_ns, t_ns, impulse, np.zeros(6))


def touch(t_s: float, since_s: float, ended: bool) -> Contact:
    """What is told at a time of a contact that began at another: 20 N, thrown back at 0.87 of its speed."""
    t_ns, since_ns = BEGIN + round(t_s * S), BEGIN + round(since_s * S)
    e = 0.0174 if ended else 0.0
    return Contact(
        t_ns, round(since_s), since_ns, t_ns, ended, 0.1, 2e4, 50.0, 0.0, 0.0, 0.0, 60.0, 20.0, 21.0,
        1e-3, 0.02, e, 0.012, 0.009, 0.0, np.zeros(6),
    )  # fmt: skip


@pytest.fixture
def line() -> Timeline:
    """Floats from 10 s on, held at 30 s for 5 s, faulted at 50 s; pushed at 15, 20 and 40 s."""
    made = Timeline(BEGIN, END, BEGIN)
    states = {0: "READY", 10: "FLOATING", 30: "HOLDING", 35: "FLOATING", 50: "FAULT"}
    made.orders(order(t, state) for t, state in states.items())
    made.pushes(push(t, k) for k, t in enumerate((40, 15, 20)))
    made.known_ns, made.complete = END, True
    return made


@pytest.mark.parametrize("speed", [0.1, 1.0, 10.0])
def test_it_goes_as_fast_as_is_said(line: Timeline, speed: float) -> None:
    """After n turns of whatever length the instant is the sum of them times the speed, to the nanosecond."""
    player, now = Player(BEGIN, END), 7.0
    player.turn(now)
    player.obey("speed", {"factor": speed}, line)
    for dt in np.random.default_rng(5).uniform(0.0, 0.1, 100):
        now += dt
        player.turn(now)
    assert player.at_ns - BEGIN == pytest.approx(min((now - 7.0) * speed * S, END - BEGIN), abs=2)
    assert player.cuts == 0


def test_it_stands_while_paused_or_unwatched(line: Timeline) -> None:
    """Paused, or before anybody looks, time passes it by; none of it is made up for."""
    player = Player(BEGIN, END)
    player.turn(0.0, watched=False)
    player.turn(5.0, watched=False)
    assert player.t == 0.0
    player.turn(5.1)
    assert player.t == pytest.approx(0.1)
    player.obey("pause", {}, line)
    player.turn(20.0)
    assert player.t == pytest.approx(0.1) and not player.playing
    player.obey("play", {}, line)
    player.turn(20.1)
    assert player.t == pytest.approx(0.2)


def test_a_busy_machine_plays_slower(line: Timeline) -> None:
    """A turn that comes 3 s late goes on by a fifth of a second: nothing is jumped over."""
    player = Player(BEGIN, END)
    player.turn(0.0)
    player.turn(3.0)
    assert player.t == pytest.approx(LONGEST_S) and player.cuts == 0


def test_it_ends_at_the_end_and_begins_anew(line: Timeline) -> None:
    """At the end it pauses; played again it begins at the beginning."""
    player = Player(BEGIN, END)
    for tick in range(700):
        player.turn(0.1 * tick)
    assert (player.at_ns, player.playing) == (END, False)
    player.obey("play", {}, line)
    assert (player.at_ns, player.playing, player.cuts) == (BEGIN, True, 1)


@pytest.mark.parametrize(("asked", "reached"), [(-5.0, 0.0), (12.5, 12.5), (1e9, 60.0)])
def test_seeking_stays_within(line: Timeline, asked: float, reached: float) -> None:
    """The slider leads anywhere within the recording, and counts as a cut."""
    player = Player(BEGIN, END)
    player.obey("seek", {"t_s": asked}, line)
    assert player.t == pytest.approx(reached) and player.cuts == 1


def test_jumps_go_from_one_to_the_next(line: Timeline) -> None:
    """Each is shown half a second before it happened; at the last one that is said."""
    player = Player(BEGIN, END)
    seen = []
    for _ in range(3):
        player.obey("jump", {"kind": "push"}, line)
        seen.append(player.t + LEAD_NS / S)
    assert seen == pytest.approx([15.0, 20.0, 40.0])
    with pytest.raises(OperatorError, match="there is no later push"):
        player.obey("jump", {"kind": "push"}, line)
    player.obey("jump", {"kind": "push", "back": True}, line)
    assert player.t == pytest.approx(19.5)
    player.obey("jump", {"kind": "hold"}, line)
    assert player.t == pytest.approx(29.5)
    player.obey("jump", {"kind": "fault"}, line)
    assert player.t == pytest.approx(49.5)
    line.complete = False
    with pytest.raises(OperatorError, match="as far as the recording was looked through"):
        player.obey("jump", {"kind": "fault"}, line)


@pytest.mark.parametrize(
    ("verb", "arguments", "told"),
    [
        ("stop", {}, "this is a recording"),
        ("push", {"force_n": [1, 0, 0]}, "this is a recording"),
        ("float", {}, "this is a recording"),
        ("speed", {"factor": 11.0}, "within 0.1 and 10"),
        ("speed", {"factor": float("nan")}, "must be a number"),
        ("speed", {"factor": True}, "must be a number"),
        ("seek", {}, "t_s must be a number"),
        ("seek", {"t_s": "12"}, "t_s must be a number"),
        ("seek", {"t_s": 10**400}, "t_s must be a number"),
        ("speed", {"factor": -(10**400)}, "factor must be a number"),
        ("jump", {"kind": "moon"}, "none of push, contact, hold, fault"),
    ],
)
def test_refused(line: Timeline, verb: str, arguments: dict[str, object], told: str) -> None:
    """Nothing acts on an arm, and what makes no sense is said in words."""
    player = Player(BEGIN, END)
    with pytest.raises(OperatorError, match=told):
        player.obey(verb, arguments, line)
    assert (player.at_ns, player.speed, player.cuts) == (BEGIN, 1.0, 0)


def test_counts_are_those_of_the_moment(line: Timeline) -> None:
    """Pushes, holds, faults and the time floated, up to an instant: by hand."""
    at = {t: line.counts(BEGIN + t * S) for t in (5, 16, 32, 45, 59)}
    assert [(c["pushes"], c["holds"], c["faults"]) for c in at.values()] == [
        (0, 0, 0),
        (1, 0, 0),
        (2, 1, 0),
        (3, 1, 0),
        (3, 1, 1),
    ]
    assert [c["floated_s"] for c in at.values()] == pytest.approx([0.0, 6.0, 22.0, 35.0, 40.0])


def test_a_push_that_was_taken_back_is_none(line: Timeline) -> None:
    """Retracted by the detector, or found while nothing floats: no mark."""
    line.pushes([push(15, 1, size=0.0), push(5, 9), push(55, 10)])
    assert line.after("push", BEGIN) == BEGIN + 20 * S
    assert line.counts(END)["pushes"] == 2


def test_the_line_is_drawn_in_cells(line: Timeline) -> None:
    """A tenth of a second a cell: states as letters, marks where they were, holes, the unknown beyond."""
    line.hole(BEGIN + 12 * S, BEGIN + 13 * S)
    marks, states = line.drawn()
    assert marks == {"push": [150, 200, 400], "contact": [], "hold": [300], "fault": [500]}
    assert len(states) == CELLS
    assert [states[k] for k in (0, 99, 101, 125, 310, 360, 510)] == ["R", "R", "F", DAMAGED, "H", "F", "X"]
    young = Timeline(BEGIN, END, BEGIN)
    young.orders([order(0, "READY")])
    young.known_ns = BEGIN + 30 * S
    assert young.drawn()[1] == "R" * 301 + UNKNOWN * 299


def test_the_newest_contact_is_that_of_the_moment(line: Timeline) -> None:
    """Before the first none; while one is open what it is like then; afterwards what it came to."""
    told = [touch(12.0 + 0.02 * k, 12.0, k == 9) for k in range(10)]
    line.touches(told[:5])
    line.touches([*told[5:], touch(20.0, 20.0, False)])
    assert [line.after("contact", BEGIN + round(t * S)) for t in (0.0, 12.0, 20.0)] == [
        BEGIN + 12 * S, BEGIN + 20 * S, None,
    ], "a mark each, where it began"  # fmt: skip
    assert len(line._contacts) == 2, "of hours of contacts the last of each is kept"
    for t_s, open_now, words in (
        (11.0, None, "none yet"),
        (12.1, told[5], "12 open: 20.0 N, 1.00 mm deep, 20000 N/m"),
        (19.9, None, "12 over: e 0.87, 12.0 mJ before, 9.0 mJ after"),
        (40.0, None, "20 left open: at most 21.0 N"),
    ):
        at_ns = BEGIN + round(t_s * S)
        shown = told_of(at_ns, Last(contact=open_now), None, line, "contact (S)")
        assert (shown["force_acts"], shown["touch"]) == ("contact (S)", words)
        assert not {"force_acts", "touch"} & set(told_of(at_ns, Last(contact=open_now), None, line))
