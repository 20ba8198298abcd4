"""Packets and answers that are lost while real contact acts: the object comes back as if none were."""

import math
from dataclasses import replace

import pytest

from drivers.emulation.disturbances import CALM
from hil.configuration import Configuration, load_configuration
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import CycleBlock
from tests.hil.loop.test_lost_packets import Holes
from tests.hil.loop.touched import MASS, PORT, SPEED, Flown

WT, DELAY, RATIO = 0.5, 0.013, 0.1
STIFFNESS = MASS * (WT / DELAY) ** 2
SETTINGS = (
    f"port.stiffness_n_per_m={STIFFNESS}",
    f"port.damping_n_s_per_m={2.0 * RATIO * math.sqrt(STIFFNESS * MASS)}",
)
ROOT = math.sqrt(1.0 - RATIO * RATIO)
IDEAL = math.exp(-RATIO * (math.pi - math.atan2(2.0 * RATIO * ROOT, ROOT * ROOT - RATIO * RATIO)) / ROOT)
TOLERANCE = 0.03


@pytest.mark.parametrize(("loss", "seed"), [(0.01, 1), (0.05, 2)])
def test_lost_packets_change_no_contact(loss: float, seed: int) -> None:
    """1 and 5 % of the packets, and of the answers: restitution within 0.03 of the closed form."""
    flight = Flown(1.7, *SETTINGS, f"emulator.loss={loss}", f"run.seed={seed}")
    assert flight.fault == "" and flight.loop._controller.bridged > 0
    assert abs(-flight.v[0] / SPEED - IDEAL) < TOLERANCE


def test_a_contact_that_begins_in_lost_packets_is_told() -> None:
    """Between two packets 8 ms apart it has begun: one contact, told from then on, and right."""

    def lose(t: float, loop: LockStep) -> None:
        if 1.159 < t < 1.161:
            assert loop._sample is not None
            loop.ask(replace(CALM, t_ns=loop._sample.t_ns, duration=0.008, loss=1.0))

    flight = Flown(1.7, *SETTINGS, order=lose)
    assert flight.fault == "" and flight.loop._controller.bridged > 0
    assert abs(-flight.v[0] / SPEED - IDEAL) < TOLERANCE
    assert {contact.number for contact in flight.contacts} == {1} and flight.contacts[-1].ended


def test_holes_in_a_contact_are_survived() -> None:
    """Of up to 24 ms, four a second: no fault, no limit broken, and no energy."""
    c = load_configuration(PORT, ['force.mode="contact"', "port.friction=0", *SETTINGS])
    loop = LockStep(c)
    Holes(loop, 12, seed=3)
    trace = loop.run(1.9)
    assert loop.fault == "" and loop._controller.monitor.violations == 0, loop._controller.monitor.first
    after = -float(trace.twist_world_object_sim[-1, 0]) / SPEED
    assert 0.3 < after < 1.01


def test_lockstep_loses_what_the_configuration_says(cube: Configuration) -> None:
    """A tenth each way, by the seed: counted by driver and controller, twice the same."""

    def lost(seed: int) -> tuple[int, int, list[int]]:
        lossy = cube.model_copy(
            update={
                "emulator": cube.emulator.model_copy(update={"loss": 0.1}),
                "run": cube.run.model_copy(update={"seed": seed}),
            }
        )
        counts: list[int] = []

        def hear(topic: str, msg: Message) -> None:
            if topic == "cycles" and isinstance(msg, CycleBlock):
                counts.extend(msg.counts[:, 1].tolist())

        loop = LockStep(lossy, None, hear)
        while loop.cycles < 1000:
            loop.turn()
        assert loop._sample is not None
        return loop._sample.lost, loop._controller.statistics.missed, counts

    first = lost(1)
    assert 60 < first[0] < 140 and 120 < first[1] < 260
    assert lost(1) == first != lost(2)
