"""How the force acts and the newest contact, in words for status and page; nothing where force is pushes."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hil.commands.operate import touch_lines
from hil.configuration.force import Force
from hil.dashboard.news import news
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.bus import Bus
from hil.messaging.messages import Contact
from hil.messaging.timing_messages import DriveTiming
from hil.processes.supervisor.touch_watch import SILENT_NS, TouchWatch, touch_words

NOW_NS = 10**9
OPEN = Contact(
    NOW_NS, 3, NOW_NS - 10**8, NOW_NS, False, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 60.0, 12.34, 15.0, 8.5e-4, 0.02,
    0.0, 0.012, 0.004, 0.0, np.zeros(6),
)  # fmt: skip
OVER = replace(OPEN, ended=True, departure=0.0174, energy_after=0.0091)


@pytest.mark.parametrize(
    ("contact", "late_ns", "words"),
    [
        (None, 0, "none yet"),
        (OPEN, SILENT_NS, "3 open: 12.3 N, 0.85 mm deep, stiffness not known yet"),
        (replace(OPEN, stiffness=19803.4), 0, "3 open: 12.3 N, 0.85 mm deep, 19803 N/m"),
        (
            replace(OPEN, stiffness=0.4, stiffness_deviation=1.3, depth=7.452),
            0,
            "3 open: 12.3 N, no one spring explains it",
        ),
        (OPEN, SILENT_NS + 1, "3 left open: at most 15.0 N"),
        (OVER, 10**12, "3 over: e 0.87, 12.0 mJ before, 9.1 mJ after"),
        (replace(OVER, approach=5e-4), 0, "3 over: 12.0 mJ before, 9.1 mJ after"),
    ],
)
def test_a_contact_in_words(contact: Contact | None, late_ns: int, words: str) -> None:
    """Open: force, depth, stiffness; over: restitution and energies; silent without an end: so it is said."""
    assert touch_words(contact, NOW_NS + late_ns) == words


def test_what_is_told_on_the_bus_comes_to_status_and_page(tmp_path: Path) -> None:
    """The newest message counts; the line of `zerog status` and the page's news say the same."""
    bus = Bus(tmp_path)
    try:
        spoken, timings = bus.publisher("contact"), bus.publisher("drive_timing")
        watch = TouchWatch(bus, Force(mode="contact", compensation="lead"))
        nothing = {"force_acts": "contact (lead)", "touch": "none yet", "drives": "not known before it moves"}
        assert watch.status(NOW_NS) == nothing
        for _ in range(200):  # until the subscriber is connected
            for item in (OPEN, OVER):
                spoken.send(item)
            timings.send(DriveTiming(NOW_NS, 0.0018, 2e-4, True))
            time.sleep(0.01)
            watch.turn()
            if all(watch.status(NOW_NS)[key] != nothing[key] for key in ("touch", "drives")):
                break
    finally:
        bus.close()
    status = watch.status(NOW_NS)
    assert status["touch"].startswith("3 over: e 0.87")
    line, drives = touch_lines(status)
    assert drives == "drives: arm 1.8 +- 0.2 ms later than their model: run `zerog calibrate timing`"
    assert "contact (lead)" in line and "3 over: e 0.87, 12.0 mJ before, 9.1 mJ after" in line
    mode = Machine(State.FLOATING).mode(NOW_NS)
    told = news(NOW_NS, mode, None, None, status, SignalsStub(), True)  # type: ignore[arg-type]
    assert {name: told[name] for name in status} == status


def test_where_force_is_pushes_nothing_is_heard_or_said() -> None:
    """No topic is read; the words are empty, which hides them on the page, and no line is printed."""
    watch = TouchWatch(None, Force())  # type: ignore[arg-type]
    watch.turn()
    assert watch.status(NOW_NS) == {"force_acts": "", "touch": "", "drives": ""}
    assert touch_lines(watch.status(NOW_NS)) == [] == touch_lines({})


class SignalsStub:
    """Curves without any."""

    lost_packets = 0
    last_gap = (0.0, 0.0)
