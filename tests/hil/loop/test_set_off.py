"""The arm's own start, from rest to the object's speed, is no push, however late the first plan comes."""

import numpy as np
import pytest

from bench.fidelity import changed
from hil.configuration import Configuration
from hil.loop import lockstep
from hil.loop.lockstep import LockStep
from hil.messaging.messages import Plan

LATE_NS = 150_000_000  # of the first plan: a link, or a busy machine


class LateStart(LockStep):
    """A run whose first plan comes late, and the others as ever."""

    def __init__(self, configuration: Configuration, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(configuration)
        self._patch = monkeypatch
        monkeypatch.setattr(lockstep, "PLAN_LATENCY_NS", LATE_NS)

    def _arrived_plan(self, t_ns: int) -> Plan | None:
        plan = super()._arrived_plan(t_ns)
        if plan is not None:
            self._patch.undo()
        return plan


def test_a_late_start_is_no_push(cube: Configuration, monkeypatch: pytest.MonkeyPatch) -> None:
    """Load data misses a third of the mock-up, and the object is fast: 0.3 N s of the arm's own doing."""
    c = changed(changed(cube, "operator", random=None, push=()), "mockup", uncompensated=0.3)
    velocity, spin = np.array([0.084, 0.09, -0.067]), np.array([0.22, -0.27, 0.29])
    c = changed(c, "object", initial_velocity=velocity, initial_spin=spin)
    trace = LateStart(c, monkeypatch).run(0.8)
    speed = np.linalg.norm(np.diff(trace.p_world_object_arm, axis=0), axis=1) / c.fri.sample_time
    sets_off = trace.t[int(np.argmax(speed > 1e-3))] - trace.t[0]
    assert sets_off > 0.15 and speed.max() > 0.12, "it sets off when the detector listens again"
    assert not len(trace.impulse_t_start)
