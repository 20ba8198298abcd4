"""Real contact through the whole loop: joints, guard and limits of jerk, against closed forms."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hil.configuration import load_configuration
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import Trace
from hil.messaging.codec import Message
from hil.messaging.messages import Contact, ImpulseSlice

PORT = Path(__file__).parents[3] / "configs/port.toml"
MASS, SPEED, DELAY = 60.0, 0.02, 0.013


class Flown:
    """A flight against the port and away from it.

    Attributes:
        e: speed after over speed before.
        contacts: what was told of contacts that ended.
        slices: all that were told.
    """

    def __init__(self, wT: float, z: float, *settings: str, seconds: float = 1.9) -> None:
        stiffness = MASS * (wT / DELAY) ** 2
        self.stiffness, self.damping = stiffness, 2.0 * z * math.sqrt(stiffness * MASS)
        c = load_configuration(
            PORT,
            [
                'force.mode="contact"',
                f"port.stiffness_n_per_m={stiffness}",
                f"port.damping_n_s_per_m={self.damping}",
                "port.friction=0",
                *settings,
            ],
        )
        self.contacts: list[Contact] = []
        self.slices: list[ImpulseSlice] = []
        self.loop = LockStep(c, None, self._hear)
        self.trace: Trace = self.loop.run(seconds)
        self.e = -float(self.trace.twist_world_object_sim[-1, 0]) / SPEED

    def _hear(self, topic: str, msg: Message) -> None:
        if topic == "contact" and msg.ended:  # type: ignore[attr-defined]
            self.contacts.append(msg)  # type: ignore[arg-type]
        elif topic == "impulse":
            self.slices.append(msg)  # type: ignore[arg-type]


def ideal(z: float) -> float:
    """Return the restitution of a spring and damper that may not pull (closed form)."""
    root = math.sqrt(1.0 - z * z)
    return math.exp(-z * (math.pi - math.atan2(2.0 * z * root, root * root - z * z)) / root)


@pytest.fixture(scope="module")
def flown() -> Iterator[Flown]:
    """A contact at half the reach, damped a little."""
    yield Flown(0.5, 0.1)


def test_it_comes_back_as_it_would_in_orbit(flown: Flown) -> None:
    """Uncompensated it would come back 1.6 times as fast as it should."""
    assert flown.loop.fault == ""
    assert abs(flown.e - ideal(0.1)) < 0.02


def test_the_port_is_identified_and_told(flown: Flown) -> None:
    """Once when it is over, with the port's own figures."""
    (told,) = flown.contacts
    assert told.stiffness == pytest.approx(flown.stiffness, rel=0.05)
    assert told.damping == pytest.approx(flown.damping, rel=0.25)
    assert told.approach == pytest.approx(SPEED, rel=0.02) and told.port_mass == 0.0
    assert told.departure / told.approach == pytest.approx(flown.e, abs=0.02)
    after = 0.5 * MASS * (flown.e * SPEED) ** 2
    assert told.energy_after == pytest.approx(after, rel=0.05) and told.energy_after < told.energy_before


def test_the_worlds_momentum_is_the_contacts(flown: Flown) -> None:
    """What the driver integrated and what the world made of its slices are one."""
    newest = {(item.impulse_id, item.slice_index): item for item in flown.slices}
    impulse = sum(item.impulse_object for item in newest.values())
    change = MASS * SPEED * (1.0 + flown.e)
    assert np.linalg.norm(impulse[:3]) == pytest.approx(change, rel=2e-3)
    (told,) = flown.contacts
    assert np.allclose(impulse, told.impulse_object, atol=1e-9)
    assert all(item.final for item in newest.values())


def test_arm_and_object_part_by_less_than_a_tenth_of_a_millimetre_after_all(flown: Flown) -> None:
    """The arm is where the simulation says that the object is, shortly after the contact as well."""
    apart = np.linalg.norm(flown.trace.p_world_object_arm - flown.trace.p_world_object_sim, axis=1)
    assert apart.max() < 3e-4 and apart[-1] < 1e-4


def test_without_compensation_it_gains_energy() -> None:
    """The same contact, the force as it was measured: what the delay makes of it."""
    raw = Flown(0.5, 0.1, 'force.compensation="none"', "force.energy_cap=false")
    assert raw.e > ideal(0.1) + 0.3
    capped = Flown(0.5, 0.1, 'force.compensation="none"')
    assert capped.e < 1.01


def test_too_much_force_brakes_the_arm() -> None:
    """Whatever the scheme: FAULT, in words that name the key."""
    stopped = Flown(0.5, 0.1, "force.stop_force_n=20", seconds=1.7)
    assert "force.stop_force_n = 20" in stopped.loop.fault


def test_twice_the_same_is_the_same_to_the_bit(flown: Flown) -> None:
    """Nothing in it looks at a clock."""
    again = Flown(0.5, 0.1)
    assert again.trace.q_command.tobytes() == flown.trace.q_command.tobytes()
