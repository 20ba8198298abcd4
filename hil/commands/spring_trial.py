"""The wrench's skew by a run's contacts with a steel spring: it listens, and moves nothing."""

import json
import time
from pathlib import Path
from typing import Any

from hil.common.errors import OperatorError
from hil.configuration import Configuration, load_configuration
from hil.configuration.sensor import has_own_sensor
from hil.force.timing.spring import CONTACTS
from hil.loop.calibration.newest_motion import BLOCKS_COME
from hil.loop.calibration.shown_spring import spring_shown
from hil.loop.calibration.timing_words import spring_lines
from hil.messaging.bus import Bus
from hil.messaging.messages import Contact, CycleBlock, Request
from hil.processes.supervisor.children import ACCEPTED

POLL = 0.05  # [s]
KEPT_NS = 2_000_000_000  # of cycles around a contact, and before one that has not been told of yet
LOOK = 40  # polls between two looks at the state
OVER = ("FAULT", "STOPPED")  # states in which nothing floats any more


def refusal(c: Configuration, contacts: int) -> str:
    """Return why a run's contacts cannot show the skew; empty if they can."""
    if c.force.mode == "pushes":
        return "force.mode = 'pushes': nothing is told of contacts; run it with mode 'contact'"
    if has_own_sensor(c):
        return (
            "a force sensor feels the mock-up's own inertia in every contact; `zerog calibrate timing` finds "
            "its lateness, and by that inertia"
        )
    if contacts < CONTACTS:
        return f"--contacts {contacts} are too few: at least {CONTACTS}"
    return ""


def needed(blocks: list[CycleBlock], contacts: list[Contact]) -> list[CycleBlock]:
    """Return the blocks that may still be needed: the newest ones, and those around contacts."""
    if not blocks:
        return []
    newest_ns = blocks[-1].t_ns
    spans = [(contact.t_start_ns - KEPT_NS, contact.t_end_ns + KEPT_NS) for contact in contacts]
    spans.append((newest_ns - KEPT_NS, newest_ns))
    return [block for block in blocks if any(first <= block.t_ns <= last for first, last in spans)]


class SpringTrial:
    """Listens to the daemon that runs in a run-time directory."""

    def __init__(self, directory: Path) -> None:
        self._bus, self._directory = Bus(directory), directory
        self._cycles = self._bus.subscriber("cycles", CycleBlock)
        self._contacts = self._bus.subscriber("contact", Contact)
        self._blocks: list[CycleBlock] = []
        self._told: list[Contact] = []
        self._open: Contact | None = None  # that lasts

    def close(self) -> None:
        """Close the sockets."""
        self._bus.close()

    def listen(self, contacts: int) -> int:
        """Wait for so many contacts and print what they show; Ctrl-C ends it with those that came.

        Raises:
            OperatorError: the run's contacts cannot show it.
        """
        status = self._status()
        c = load_configuration(Path(status["configuration"]), status["settings"], self._directory / ACCEPTED)
        if why := refusal(c, contacts):
            raise OperatorError(f"calibrate spring is refused: {why}")
        print(f"Let the mock-up bounce off a steel spring; waiting for {contacts} contacts, Ctrl-C ends it.")
        try:
            polls = 0
            while len(self._told) < contacts and (polls % LOOK or self._status()["state"] not in OVER):
                polls += 1
                time.sleep(POLL)
                self._hear()
        except KeyboardInterrupt:
            pass
        time.sleep(BLOCKS_COME)
        self._hear()
        print("\n".join(spring_lines(spring_shown(self._blocks, self._told, c), len(self._told), c)))
        return 0

    def _hear(self) -> None:
        """Take what has come; of cycles, those that a contact may need."""
        self._blocks += self._cycles.drain()
        for contact in self._contacts.drain():
            self._open = None if contact.ended else contact
            if contact.ended:
                self._told.append(contact)
                speed = f"{1e3 * contact.approach:.1f} mm/s, {contact.peak_force:.1f} N"
                print(f"contact {len(self._told)}: {speed}", flush=True)
        lasting = [] if self._open is None else [self._open]
        self._blocks = needed(self._blocks, [*self._told, *lasting])

    def _status(self) -> dict[str, Any]:
        reply = self._bus.ask(Request(time.monotonic_ns(), "status", "{}"))
        return dict(json.loads(reply.status))
