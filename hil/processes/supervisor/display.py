"""What the operator sees of a run: one live line on a terminal, plain lines elsewhere."""

import atexit
import logging
import os
import sys
from typing import Any

from hil.processes.supervisor.events import attach, log, writes_to_journal
from hil.processes.supervisor.output import Output
from hil.processes.supervisor.waits import waited_words

STDOUT = 1

PLAIN_PERIOD_S = 2.0
REFUSED = "nothing floats by itself"  # in the line that says why


class Display:
    """Prints progress, events, the status line and the summary."""

    def __init__(self) -> None:
        self._terminal = os.isatty(STDOUT)
        self._journal = writes_to_journal(os.environ, STDOUT)
        self._output = Output(STDOUT, encoding=sys.stdout.encoding)
        self._events = attach(self._output, self._journal)
        self._last_plain = float("-inf")
        self._last_progress = self._last_warning = ""
        atexit.register(self._output.close)

    @property
    def lost_lines(self) -> int:
        """How many lines have not reached their reader."""
        return self._output.lost

    def event(self, text: str, level: int = logging.INFO) -> None:
        """Print a line that stays."""
        log.log(level, "%s", text)

    def progress(self, text: str) -> None:
        """Show what is being waited for, each thing once."""
        if text != self._last_progress:
            self._last_progress = text
            self.event(f"  … {text}")

    def warning(self, text: str) -> None:
        """Tell what the robot warns of, when that changes."""
        if text and text != self._last_warning:
            self.event(f"WARNING: {text}", logging.WARNING)
        self._last_warning = text

    def status(self, now_s: float, status: dict[str, Any]) -> None:
        """Show the state of the run."""
        self.live(now_s, status_line(status))

    def live(self, now_s: float, text: str) -> None:
        """Show a line that the next one takes the place of; where none can, only now and then."""
        if self._terminal:
            self._output.put("\r\x1b[2K" + text)
            self._events.before = "\n"
        elif not self._journal and now_s - self._last_plain >= PLAIN_PERIOD_S:
            self._last_plain = now_s
            self._output.put(text + "\n")

    def summary(self, status: dict[str, Any]) -> None:
        """Print what the run came to."""
        waited = waited_words(status)
        loop = paced_words(status) if "pace" in status else driver_words(status)
        self.event(
            f"floated {status['floated_s']:.1f} s: {status['pushes']} pushes, {status['holds']} holds, "
            f"{status['faults']} faults\n"
            + (f"{waited}\n" if waited else "")
            + f"{loop}\n"
            + f"memory of all processes: {status['memory_mib']:.0f} MiB"
        )
        for text in status["overridden"]:
            self.event(f"not checked, set aside by hand: {text}")


def driver_words(status: dict[str, Any]) -> str:
    """Return in a line how the driver has kept its time."""
    return (
        f"driver: {status['cycles']} cycles, {status['missed']} missed, cycle p50 "
        f"{status['cycle_p50_us']:.0f} us, sample to command p50 "
        f"{status['sample_to_command_p50_us']:.0f} us, "
        f"round the ring {status['ring_p50_us'] * 1e-3:.1f} ms"
    )


def paced_words(status: dict[str, Any]) -> str:
    """Return the same of a paced run, whose pace is the machine's."""
    return f"paced: {status['cycles']} cycles, none left out, at {status['pace']:.2f} of real time"


def service_line(status: dict[str, Any]) -> str:
    """Return the state of a run in a few words, for `systemctl status`."""
    reason = f": {status['reason']}" if status["reason"] else ""
    aside = "".join(f"; OVERRIDDEN: {text}" for text in status["overridden"])
    return f"{status['state']}{reason}; {status['pushes']} pushes, {status['missed']} missed answers{aside}"


def status_line(status: dict[str, Any]) -> str:
    """Return the state of a run in one line."""
    if status["position_mm"] is None:
        link = [] if status["link"] is None else [link_words(status)]
        warning = [f"WARNING: {status['warning']}"] if status["warning"] else []
        return "  ".join([f"{status['state']:<8} {status['reason']}", *warning, *link])
    x, y, z = status["position_mm"]
    parts = [
        f"{status['state']:<8}",
        f"t {status['floated_s']:6.1f} s",
        f"rate {status['rate']:.2f}",
        f"pushes {status['pushes']:3d}",
        f"at {x:5.0f} {y:5.0f} {z:5.0f} mm",
        f"{status['speed_mm_s']:4.0f} mm/s {status['spin_deg_s']:4.1f} deg/s",
        f"holds {status['holds']}",
    ]
    if status.get("pace_words"):
        parts.append(status["pace_words"])
    if status["waits"]:
        parts.append(f"waited {status['waited_s']:.1f} s")
    if status["docking"]:
        held = f" ({status['fastened']})" if status["fastened"] else ""
        parts.append(f"docking: {status['docking']}{held}")
    if status.get("grasp"):
        parts.append(f"grasp {status['grasp']}")
    if status["capped"]:
        parts.append("SPEED CUT to the certified limit")
    if status["warning"]:
        parts.append(f"WARNING: {status['warning']}")
    if status["unsent"]:
        parts.append(f"{status['unsent']} answers could not be sent")
    if status["link"] is not None:
        parts.append(link_words(status))
    parts += [f"OVERRIDDEN: {text}" for text in status["overridden"]]
    if status["stops_words"]:
        parts.append(f"held {status['stops_words']}")
    if status["float_refused"]:
        parts.append("FLOAT IS REFUSED")
    if status["reason"]:
        parts.append(status["reason"])
    return "  ".join(parts)


def link_words(status: dict[str, Any]) -> str:
    """Return the link to the other host in words: does it live, and how well is its clock known?"""
    words = f"link {status['link']}"
    if status["clock_offset_us"] is not None:
        words += (
            f", clock {status['clock_offset_us'] * 1e-6:+.6f} s +- {status['clock_uncertainty_us']:.0f} us, "
            f"round trip {status['link_round_trip_us']:.0f} us"
        )
    return words
