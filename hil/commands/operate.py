"""Operators' commands, `zerog float` and the like: a request to the running daemon."""

import argparse
import json
import sys
import time
from typing import Any

from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.messaging.runtime_directory import runtime_directory
from hil.processes.real_time.set_up import real_time_lines
from hil.processes.supervisor.base_news import base_lines
from hil.processes.supervisor.display import status_line
from hil.processes.supervisor.grasp_news import grasp_lines
from hil.processes.supervisor.pair_news import pair_lines
from hil.processes.supervisor.touch_watch import touch_lines

EXIT_REFUSED = 2


# what an operator may say with a verb, as the keys of its request; what is not said is left out
VALUES = {
    "push": ("force_n", "duration_ms", "at_mm"),
    "float": ("velocity_mm_s", "spin_deg_s"),
    "thresholds": ("start_sigma", "floor_n_per_s", "level_floor_n"),
}


def operate_daemon(options: argparse.Namespace, values: dict[str, Any] | None = None) -> int:
    """Send the request and print the reply; status 2 when the daemon refuses or is not there."""
    if values is None:
        said = {name: getattr(options, name) for name in VALUES.get(options.verb, ())}
        values = {name: value for name, value in said.items() if value is not None}
    bus = Bus(runtime_directory(options.runtime_directory))
    try:
        reply = bus.ask(Request(time.monotonic_ns(), options.verb, json.dumps(values)))
    finally:
        bus.close()
    if not reply.accepted:
        print(f"zerog: {reply.text}", file=sys.stderr)
        return EXIT_REFUSED
    if options.verb != "status":
        print(reply.text)
    elif options.json:
        print(reply.status)
    else:
        status = json.loads(reply.status)
        refused = [f"float is refused: {why}"] if (why := status.get("float_refused")) else []
        aside = [f"not checked, set aside by hand: {text}" for text in status.get("overridden", [])]
        lines = [status_line(status), *refused, *aside, *touch_lines(status), *base_lines(status)]
        lines += [*grasp_lines(status), *pair_lines(status)]
        lines += [*_wrench(status), *real_time_lines(status)]
        print("\n".join(lines))
    return 0


def _wrench(status: dict[str, Any]) -> list[str]:
    """Return how large the measured wrench is, while the arm stands and nobody should be touching it."""
    force, torque = status.get("force_n"), status.get("torque_n_m")  # a split run's other host has none
    if status.get("following") or force is None or torque is None:
        return []
    return [f"measured: {force:.2f} N, {torque:.2f} N m about the object's centre"]
