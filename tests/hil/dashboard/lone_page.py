"""The dashboard without a run: the real door, page and drawing, told what a test wants to be shown.

What a page asks for goes to nobody, and is kept.
"""

import threading
import time
from socket import SOCK_STREAM
from typing import Any

import numpy as np
from playwright.sync_api import Page

from hil.common.arrays import Array
from hil.common.free_port import free_port
from hil.configuration import Configuration
from hil.dashboard.drawing_proxy import DrawingProxy
from hil.dashboard.hearing import Last
from hil.dashboard.news import fixed_facts, news
from hil.dashboard.signals import Signals
from hil.dashboard.site import Site
from hil.dashboard.state_words import no_connection
from hil.dashboard.view import View
from hil.loop.judging.state_machine import Machine, State
from hil.loop.solids import ArmPicture
from hil.messaging.grasp_messages import PartnerWords
from hil.messaging.messages import SimState
from hil.messaging.page_access import Access
from sim.world.flight.free import NO_DOCKING, NOBODY, NOWHERE
from tests.hil.robot_states import standing

TOKEN = "lone"
NOW_NS = 1_000_000_000
PERIOD_S = 0.05
STATUS = {
    "pushes": 12, "holds": 1, "faults": 2, "floated_s": 95.0, "missed": 0, "capped": False, "docking": "",
    "fastened": "", "waited_s": 0.0, "sample_to_command_p50_us": 410.0, "ring_p50_us": 3900.0,
    "thresholds": {}, "derivative_threshold_n_per_s": 260.0,
}  # fmt: skip


class LonePage:
    """Serves the page until it is closed."""

    def __init__(self, c: Configuration) -> None:
        arm = ArmPicture(c)
        self._c, self._signals, self._view = c, Signals(c, arm), View(c, arm)
        self.p, self.quat = arm.held_object(c.robot.start)
        self.machine, self.status = Machine(State.FLOATING), dict(STATUS)
        self.partner: PartnerWords | None = None  # of a second arm
        self.lost = False  # nothing is heard of the run
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.answer = {"accepted": True, "text": "it is done"}
        port = free_port(SOCK_STREAM)
        proxy = DrawingProxy(self._view.port)
        self._site = Site(port, Access(port, TOKEN), proxy, fixed_facts(c, arm), self._obey, lambda: NOW_NS)
        self.address = f"http://127.0.0.1:{port}/?token={TOKEN}"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()

    def at(self, p: Array, quat: Array) -> None:
        """Move the object to a place [m] and an attitude w x y z."""
        self.p, self.quat = p, quat

    def asked_of(self, page: Page, count: int) -> list[tuple[str, dict[str, Any]]]:
        """Return what a page has asked for, once it is so much and nothing more comes."""
        for _ in range(200):
            if len(self.asked) >= count:
                break
            page.wait_for_timeout(50)
        page.wait_for_timeout(200)
        return list(self.asked)

    def close(self) -> None:
        """End everything."""
        self._over.set()
        self._thread.join()
        self._site.close()
        self._view.close()

    def _obey(self, verb: str, arguments: dict[str, Any], asked_ns: int) -> dict[str, Any]:
        self.asked.append((verb, arguments))
        return self.answer

    def _tell(self) -> None:
        last = Last(robot=standing(self._c.robot.start, braking_reason=""))
        while not self._over.is_set():
            nothing = np.zeros((0, 3), np.int64), np.zeros((0, 6)), 0.0, NOBODY, NOWHERE, False, *NO_DOCKING
            last.sim = SimState(NOW_NS, 1, 0.0, 1.0, self.p, self.quat, np.zeros(6), False, 0.0, *nothing)
            last.partner = self.partner
            last.mode = self.machine.mode(NOW_NS)
            told = news(NOW_NS, last.mode, last.robot, last.sim, self.status, self._signals, True)
            if self.lost:
                told = told | no_connection() | {"live": False}
            self._site.publish(told | {"axes": self._site.axes})
            self._view.draw(1e-9 * NOW_NS, self._signals, last, self._site.axes)
            time.sleep(PERIOD_S)
