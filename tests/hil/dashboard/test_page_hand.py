"""A page's hand: which of its heartbeats reach the daemon."""

import json
from typing import Any

import pytest

from hil.dashboard.page_hand import PageHand

MS = 1_000_000


class Desk:
    """Notes what reaches it; grants session 5."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any], int]] = []
        self.now_ns = 7_000 * MS
        self.waited_ns = 0
        self.hand = PageHand(self._obey, lambda: self.now_ns - self.waited_ns, lambda: self.now_ns)

    def _obey(self, verb: str, arguments: dict[str, Any], asked_ns: int) -> dict[str, Any]:
        self.asked.append((verb, arguments, asked_ns))
        return {"accepted": verb != "float", "text": json.dumps({"session": 5, "way": "w"})}

    def beat(self, number: int, sent_ms: float, **changes: Any) -> bool:
        arguments = {"session": 5, "number": number, "sent_ms": sent_ms} | changes
        return bool(self.hand.obey("beat", arguments)["accepted"])


@pytest.fixture
def desk() -> Desk:
    made = Desk()
    assert made.hand.obey("approach", {})["accepted"]
    return made


def test_heartbeats_go_on_with_when_they_came(desk: Desk) -> None:
    """Session, number and release; the page's own time stays with us."""
    assert desk.beat(1, 100.0) and desk.beat(2, 150.0, released=True)
    assert desk.asked[1:] == [
        ("beat", {"session": 5, "number": 1, "released": False}, 7_000 * MS),
        ("beat", {"session": 5, "number": 2, "released": True}, 7_000 * MS),
    ]


def test_heartbeats_have_the_time_of_the_run(desk: Desk) -> None:
    """Where emulated time has waited for a busy machine, the clock by which the daemon judges is behind."""
    desk.waited_ns = 900 * MS
    assert desk.beat(1, 100.0)
    assert desk.asked[-1][2] == 6_100 * MS


def test_a_heap_from_a_page_that_hung_goes_no_further(desk: Desk) -> None:
    """Sent half a second ago by the page's clock, come now: refused here."""
    assert desk.beat(1, 100.0)
    desk.now_ns += 800 * MS
    assert not desk.beat(2, 300.0) and not desk.beat(3, 550.0)
    assert desk.beat(4, 890.0)
    assert [item[1]["number"] for item in desk.asked[1:]] == [1, 4]


@pytest.mark.parametrize(
    "arguments",
    [{}, {"session": "x"}, {"session": 5, "number": 1}, {"session": 5, "number": 1, "sent_ms": float("inf")},
     {"session": 5, "number": 1, "sent_ms": float("nan")}, {"session": None, "number": [], "sent_ms": 0}],
)  # fmt: skip
def test_what_is_no_heartbeat_is_refused(desk: Desk, arguments: dict[str, Any]) -> None:
    """Malformed as a page could never make it."""
    assert not desk.hand.obey("beat", arguments)["accepted"]
    assert len(desk.asked) == 1


def test_another_pages_session_is_not_ones_own(desk: Desk) -> None:
    """Before asking, nothing counts; each page has its own session; other commands pass as they are."""
    other = PageHand(desk._obey, lambda: 0)
    assert not other.obey("beat", {"session": 5, "number": 1, "sent_ms": 0.0})["accepted"]
    assert not desk.beat(1, 0.0, session=6)
    assert not desk.hand.obey("float", {"a": 1})["accepted"]
    assert desk.asked[-1] == ("float", {"a": 1}, desk.now_ns)
