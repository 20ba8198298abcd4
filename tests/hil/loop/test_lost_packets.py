"""Packets that are lost or late between robot and driver: the arm goes on within limits, without a fault."""

import numpy as np
import pytest

from bench.fidelity import Moving
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Cycle
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import Trace

FLOATED_S = 4.0


class Holes:
    """A driver that does not get to see some packets; the controller then gets no answer."""

    def __init__(self, loop: LockStep, longest: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._longest, self._left = longest, 0
        self._driver: DriverCore = loop._driver
        self._cycle, self._observe = self._driver.cycle, self._driver.observe
        self._receive = loop._controller.receive
        loop._controller.receive = self.receive  # type: ignore[method-assign]
        self._lost = False
        self._driver.cycle = self.cycle  # type: ignore[method-assign]
        self._driver.observe = self.observe  # type: ignore[method-assign]

    def observe(self, sample):
        """Skip a few cycles now and then, once the arm follows."""
        if self._left == 0 and self._driver.following and self._rng.random() < 0.02:
            self._left = int(self._rng.integers(1, self._longest + 1))
        self._lost = self._left > 0
        if not self._lost:
            self._observe(sample)

    def cycle(self, sample, mode):
        if self._lost:
            self._left -= 1
            return Cycle(None)
        return self._cycle(sample, mode)

    def receive(self, data: bytes, latency: float = 0.0) -> None:
        """Let only answers to packets that were seen reach the controller."""
        if not self._lost:
            self._receive(data, latency)


@pytest.mark.parametrize("longest", [1, 4, 12])
def test_holes_are_survived(cube: Configuration, longest: int) -> None:
    """Holes of up to 24 ms: no fault, no limit broken, and the mock-up stays by the simulation."""
    loop = LockStep(Moving()(cube))
    Holes(loop, longest, seed=longest)
    trace: Trace = loop.run(FLOATED_S)
    assert loop._driver.fault == ""
    assert loop._controller.monitor.violations == 0, loop._controller.monitor.first
    late = trace.t > trace.t[0] + 2.0
    apart = np.linalg.norm(trace.p_world_object_arm - trace.p_world_object_sim, axis=1)[late]
    assert apart.max() < (2e-3 if longest <= 4 else 6e-3)
