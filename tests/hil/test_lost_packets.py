"""Packets that are lost or late between robot and driver: the arm goes on within limits, without a fault."""

import numpy as np
import pytest

from bench.fidelity import Moving
from hil.configuration import Configuration
from hil.driver_core import Cycle, DriverCore
from hil.lockstep import LockStep
from hil.trace import Trace

FLOATED_S = 4.0


class Holes:
    """A driver that does not get to see some packets; the controller then gets its last command again."""

    def __init__(self, loop: LockStep, longest: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._longest, self._left = longest, 0
        self._driver: DriverCore = loop._driver
        self._cycle, self._observe = self._driver.cycle, self._driver.observe
        self._repetition = Cycle(None)
        self._driver.cycle = self.cycle  # type: ignore[method-assign]
        self._driver.observe = self.observe  # type: ignore[method-assign]

    def observe(self, sample):
        """Skip a few cycles now and then, once the arm follows."""
        if self._left == 0 and self._driver.following and self._rng.random() < 0.02:
            self._left = int(self._rng.integers(1, self._longest + 1))
        if self._left == 0:
            self._observe(sample)

    def cycle(self, sample, mode, plan):
        if self._left > 0:
            self._left -= 1
            return self._repetition
        result = self._cycle(sample, mode, plan)
        self._repetition = Cycle(result.q_command)
        return result


@pytest.mark.parametrize("longest", [1, 4, 12])
def test_holes_are_survived(cube: Configuration, longest: int) -> None:
    """Holes of up to 24 ms: no fault, and the mock-up stays within a millimetre or two of the simulation."""
    loop = LockStep(Moving()(cube))
    Holes(loop, longest, seed=longest)
    trace: Trace = loop.run(FLOATED_S)
    assert loop._driver.fault == ""
    late = trace.t > trace.t[0] + 2.0
    apart = np.linalg.norm(trace.p_world_object_arm - trace.p_world_object_sim, axis=1)[late]
    assert apart.max() < (2e-3 if longest <= 4 else 6e-3)
