"""What counts as a contact while the arm is brought to its start pose."""

import numpy as np
import pytest

from bench.fidelity import changed
from hil.configuration import Configuration
from hil.loop.driver.contact_force import ContactForce

OFFSET = np.array([2.0, -1.5, 2.5, 0.3, -0.2, 0.1])


def at_rest(c: Configuration, seed: int = 0) -> tuple[ContactForce, np.random.Generator]:
    """One that has seen a second of rest with an offset and the detector's noise."""
    contact, rng = ContactForce(c), np.random.default_rng(seed)
    for _ in range(500):
        contact.at_rest(OFFSET + noise(c, rng))
    return contact, rng


def noise(c: Configuration, rng: np.random.Generator) -> np.ndarray:
    scale = np.array([c.detector.noise_force] * 3 + [c.detector.noise_torque] * 3)
    return scale * rng.normal(size=6)


@pytest.mark.parametrize("axis", range(6))
def test_the_offset_at_rest_is_none_and_a_change_beyond_the_limit_is_one(
    cube: Configuration, axis: int
) -> None:
    """Each axis, either way; torques count by the filter's length; the words name key and value."""
    limit = cube.approach.contact_force * (1.0 if axis < 3 else cube.filter.length)
    for side in (-1.0, 1.0):
        contact, rng = at_rest(cube)
        push = np.zeros(6)
        push[axis] = side * 0.9 * limit
        assert not any(contact.judge(OFFSET + push + noise(cube, rng)) for _ in range(500))
        push[axis] = side * 1.1 * limit
        said = [contact.judge(OFFSET + push + noise(cube, rng)) for _ in range(50)]
        assert said[-1].startswith("contact") and "approach.contact_force_n = 12" in said[-1]


def test_a_slow_contact_is_found_like_a_quick_one(cube: Configuration) -> None:
    """A force that takes a minute to grow: nothing is learnt anew while the arm moves."""
    contact, _ = at_rest(cube)
    force = np.zeros(6)
    for k in range(30_000):
        force[0] = 15.0 * k / 30_000
        if contact.judge(OFFSET + force):
            break
    assert force[0] == pytest.approx(cube.approach.contact_force, abs=0.2)


def test_the_key_is_what_counts(cube: Configuration) -> None:
    """Half the limit, half the force."""
    contact, _ = at_rest(changed(cube, "approach", contact_force=6.0))
    push = np.array([6.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert any(contact.judge(OFFSET + push) for _ in range(50))


def test_a_wrench_that_is_not_known_is_no_free_way(cube: Configuration) -> None:
    """No number, or nothing heard at rest; a single bad sample at rest is left out."""
    assert "not known" in ContactForce(cube).judge(np.zeros(6))
    contact, _ = at_rest(cube)
    contact.at_rest(np.full(6, np.nan))
    assert not contact.judge(OFFSET)
    assert "not known" in contact.judge(np.array([np.nan, 0.0, 0.0, 0.0, 0.0, 0.0]))


def test_what_the_configured_estimate_does_by_itself_stays_below_the_least_default(
    cube: Configuration,
) -> None:
    """An offset from one end to the other on every axis, and six times its restlessness in motion."""
    wrench = cube.emulator.wrench
    wandering = 2.0 * wrench.offset_max * np.sqrt(3.0)
    restless = 6.0 * np.hypot(wrench.motion_noise_force, wrench.noise_force)
    assert wandering + restless <= 1.0 + cube.approach.contact_force


def pressed(c: Configuration, force: float) -> ContactForce:
    """One whose motion has met something, at rest since, pressed with a force along x [N]."""
    contact, _ = at_rest(c)
    for _ in range(50):
        contact.judge(OFFSET + along_x(force))
    for _ in range(2000):
        contact.at_rest(OFFSET + along_x(force))
    return contact


def along_x(force: float) -> np.ndarray:
    return np.array([force, 0.0, 0.0, 0.0, 0.0, 0.0])


def test_what_presses_after_a_contact_is_not_learnt_as_the_offset(cube: Configuration) -> None:
    """Four seconds at rest with 50 N are no offset; let go they are forgotten, and a later one is learnt."""
    contact = pressed(cube, 50.0)
    assert "pressed with 50 N" in contact.refusal
    for _ in range(500):
        contact.at_rest(OFFSET)
    assert contact.refusal == "" and contact.change == 0.0
    assert not any(contact.judge(OFFSET + along_x(11.0)) for _ in range(500))


def test_an_offset_that_is_another_elsewhere_keeps_nobody_from_floating(cube: Configuration) -> None:
    """Let go, with what the offset may change by on its way home: between half the limit and the limit."""
    contact = pressed(cube, 50.0)
    for _ in range(2000):
        contact.at_rest(OFFSET + along_x(9.0))
    assert contact.refusal == ""
    assert any("contact" in contact.judge(OFFSET + along_x(16.0)) for _ in range(50))


def test_the_arm_may_be_led_off_what_it_presses_on_and_not_into_it(cube: Configuration) -> None:
    """Falling from 50 N to nothing is a free way; 4 N more is not, nor is it on the way back from 20 N."""
    off = pressed(cube, 50.0)
    assert not any(off.judge(OFFSET + along_x(50.0 - 0.1 * k)) for k in range(501))
    into = pressed(cube, 50.0)
    said = [into.judge(OFFSET + along_x(54.0)) for _ in range(100)]
    assert next(text for text in said if text).startswith("contact: the wrench has changed by 53")
    back = pressed(cube, 50.0)
    assert not any(back.judge(OFFSET + along_x(50.0 - 0.1 * k)) for k in range(301))
    assert any(back.judge(OFFSET + along_x(24.0)) for _ in range(100))


def test_pressing_again_and_again_is_told_by_all_of_it(cube: Configuration) -> None:
    """Each motion may press by a quarter of the limit more: never is what pressed before the new offset."""
    contact, force = pressed(cube, 20.0), 20.0
    for _ in range(3):
        force += 3.5
        assert any(contact.judge(OFFSET + along_x(force)) for _ in range(100))
        for _ in range(2000):
            contact.at_rest(OFFSET + along_x(force))
    assert "pressed with 30 N" in contact.refusal or "pressed with 31 N" in contact.refusal
