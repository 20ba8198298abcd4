"""A robot as its driver tells of it."""

import dataclasses
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.messaging.messages import RobotState


def standing(q: Array | None = None, **changes: Any) -> RobotState:
    """A robot that takes commands and stands at `q` [rad] or at zero; it comes when it is stamped."""
    z = np.zeros
    q = z(7) if q is None else q
    state = RobotState(
        t_ns=0, arrival_ns=0, session="command", quality=3, power_on=True, q_measured=q, q_command=q,
        dq_command=z(7), wrench_object=z(6), wrench_witness=z(6), delay=0.01, following=False,
        braking_reason="no plan", fault="", refusal="", cycles=0, missed=0, cycle_p50=0.0,
        sample_to_command_p50=0.0, ring_p50=0.0, unsent=0, unsent_reason="", warning="",
            approach_session=0, approach_end="",
    )  # fmt: skip
    return dataclasses.replace(state, **{"arrival_ns": changes.get("t_ns", 0)} | changes)
