"""Free flight through the whole loop in lock-step: what noise makes of it that no contact is."""

import numpy as np

from bench.acceptance.core_trials import Drifted
from bench.acceptance.joint_trials import configured
from hil.common.arrays import Array
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import Contact, ImpulseSlice

SECONDS = 90.0


def drifted(seed: int, keys: tuple[str, ...], seconds: float = SECONDS) -> Drifted:
    """Fly at 50 mm/s between the stops, with no port; what a contact gave, and how many were told."""
    c = configured([
        'force.mode="contact"',
        "object.initial_velocity_mm_s=[50, 0, 0]",
        "port.point_mm=[1400, 0, 150]",  # out of reach
        f"run.seed={seed + 1}",
        *keys,
    ])  # fmt: skip
    begun: set[int] = set()
    given: dict[tuple[int, int], Array] = {}

    def hear(topic: str, msg: Message) -> None:
        if topic == "contact" and isinstance(msg, Contact):
            begun.add(msg.number)
        elif topic == "impulse" and isinstance(msg, ImpulseSlice):
            given[msg.impulse_id, msg.slice_index] = msg.impulse_object[:3]

    loop = LockStep(c, None, hear)
    loop.run(seconds)
    speed = float(np.linalg.norm(sum(given.values(), np.zeros(3)))) / c.object.mass
    return Drifted(1e3 * speed if not loop.fault else float("nan"), float(len(begun)))
