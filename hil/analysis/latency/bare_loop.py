"""The bare answering loop: the least that can be done, measured as the product is.

The same client on the same emulated controller answers every packet with the mirror at once and
computes nothing. Both ends are as real-time as in the product.
"""

import multiprocessing
import time
from typing import Any

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.process import run as emulate
from drivers.fri.client import FriClient
from hil.common.arrays import IntArray
from hil.configuration import Configuration
from hil.configuration.spin import granted_spin
from hil.processes.real_time.set_up import enter_real_time

SETTLING_S = 1.0  # left out at the beginning: the sockets find each other


def bare_loop(c: Configuration, seconds: float) -> tuple[IntArray, int]:
    """Return the latencies of a bare loop [ns], shape (n,), and how many packets were sent to it.

    From packet sent by the emulated controller to answer sent by the loop, answered packets only.
    """
    spawn = multiprocessing.get_context("spawn")  # the caller's threads and sockets stay its own
    far, near = spawn.Pipe()
    robot = spawn.Process(target=_robot, args=(c, seconds, far))
    loop = spawn.Process(target=_loop, args=(c, seconds, far))
    for process in (robot, loop):
        process.start()
    try:
        parts: dict[str, IntArray] = dict(near.recv() for _ in range(2))
    finally:
        for process in (robot, loop):
            process.join(10.0)
            process.kill()
    return _joined(parts["robot"], parts["loop"])


def _joined(sent: IntArray, answered: IntArray) -> tuple[IntArray, int]:
    """Return latencies and packets from rows (sequence, instant) of both ends, each (n, 2)."""
    instants = dict(answered.tolist())  # fewer packets than the counter has numbers
    found = [instants[number] - at for number, at in sent.tolist() if number in instants]
    return np.array(found, np.int64), len(sent)


def _robot(c: Configuration, seconds: float, pipe: Any) -> None:
    rows: list[tuple[int, int]] = []
    begin = 0.0

    def ready(_: EmulatedController) -> None:
        nonlocal begin
        enter_real_time("emulator", c)
        begin = time.monotonic()

    def tap(controller: EmulatedController, sent_ns: int, _: int) -> None:
        if time.monotonic() - begin > SETTLING_S:
            rows.append((controller.cycle % (1 << 16), sent_ns))

    def over() -> bool:
        return bool(begin) and time.monotonic() - begin > seconds + SETTLING_S

    emulate(c, list, over, None, ready, tap=tap)
    pipe.send(("robot", np.array(rows, np.int64).reshape(-1, 2)))


def _loop(c: Configuration, seconds: float, pipe: Any) -> None:
    rows: list[tuple[int, int]] = []
    with FriClient(c.fri, granted_spin(c)[0]) as client:
        enter_real_time("driver", c)
        begin = 0.0
        while not begin or time.monotonic() - begin < seconds + 2.0 * SETTLING_S:
            samples = client.receive(0.2)
            if samples:
                client.reply(samples[-1], None)
                rows.append((samples[-1].sequence, time.monotonic_ns()))
                begin = begin or time.monotonic()
    pipe.send(("loop", np.array(rows, np.int64).reshape(-1, 2)))
