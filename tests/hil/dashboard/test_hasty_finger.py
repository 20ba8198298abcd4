"""A finger that lets go and presses again before the daemon has answered, in a browser."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from bench.chromium import MISSING, PROGRAM, browser, open_dashboard, until
from hil.configuration import Configuration
from hil.loop.judging.state_machine import Machine, State
from tests.hil.dashboard.lone_page import LonePage

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

ANSWERED = "document.getElementById('answer').textContent === 'the second way'"


class SlowDaemon(LonePage):
    """Answers each press when the test lets it."""

    def begin(self, second: dict[str, Any]) -> None:
        """Grant the first press session 7, and answer the second so."""
        self.machine = Machine(State.READY)
        self.asked.clear()
        granted = {"accepted": True, "text": json.dumps({"session": 7, "way": "the first way"})}
        self.answers = {"approach": granted, "calibrate": second}
        self.gates = {verb: threading.Event() for verb in self.answers}

    def sessions(self) -> list[int]:
        """Those whose heartbeats have come."""
        return [arguments["session"] for verb, arguments in self.asked if verb == "beat"]

    def _obey(self, verb: str, arguments: dict[str, Any], asked_ns: int) -> dict[str, Any]:
        answer = super()._obey(verb, arguments, asked_ns)
        if verb not in self.answers:
            return answer
        assert self.gates[verb].wait(20.0)
        return self.answers[verb]


@pytest.fixture(scope="module")
def lone(cube: Configuration) -> Iterator[SlowDaemon]:
    made = SlowDaemon(cube)
    yield made
    made.close()


@pytest.fixture(scope="module")
def page(lone: SlowDaemon) -> Iterator[Page]:
    with browser() as opened:
        page = opened.new_page(viewport={"width": 1400, "height": 900})
        open_dashboard(page, lone.address)
        yield page


def pressed_twice(page: Page, lone: SlowDaemon) -> None:
    """Approach, let go at once; calibrate, held on; the answers come 0.3 s apart."""
    page.mouse.move(1.0, 1.0)
    until(page, "document.body.dataset.state === 'READY' && !document.getElementById('calibrate').disabled")
    page.hover("#approach")
    page.mouse.down()
    page.mouse.up()
    page.hover("#calibrate")
    page.mouse.down()
    lone.gates["approach"].set()
    page.wait_for_timeout(300)
    lone.gates["calibrate"].set()


def test_what_an_earlier_press_was_granted_gets_no_heartbeat(page: Page, lone: SlowDaemon) -> None:
    """The second one is refused: nothing may move, least of all to the start pose."""
    lone.begin({"accepted": False, "text": "the second way"})
    pressed_twice(page, lone)
    until(page, ANSWERED)
    page.wait_for_timeout(200)
    page.mouse.up()
    assert [verb for verb, _ in lone.asked] == ["approach", "calibrate"]


def test_a_second_press_holds_by_its_own_grant(page: Page, lone: SlowDaemon) -> None:
    """Its heartbeats come, and nobody else's."""
    lone.begin({"accepted": True, "text": json.dumps({"session": 8, "way": "the second way"})})
    pressed_twice(page, lone)
    until(page, ANSWERED)
    page.wait_for_timeout(300)
    page.mouse.up()
    assert len(lone.sessions()) >= 3 and set(lone.sessions()) == {8}
