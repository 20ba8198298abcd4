"""From the driver's cycles and its word on contacts to the skew: joints, frames, bias, stretches."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.fidelity import CONFIGS
from hil.commands.spring_trial import needed, refusal
from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.configuration.frames import Frames
from hil.loop.approach.held_cube import HeldCube
from hil.loop.calibration.shown_spring import spring_shown
from hil.loop.calibration.timing_words import spring_lines
from hil.loop.plain_kinematics import held_frame
from hil.messaging.messages import Contact, CycleBlock
from planner.kinematics.arm_model import load_arm_model
from tests.hil.force.timing.test_spring import STEP, bounce

APART = 1000  # cycles from one contact to the next
BIAS = np.array([1.0, -2.0, 0.5, 0.1, 0.0, -0.2])  # object axes
TOUCH = 200  # cycles of flight before a bounce


def contact_configuration(*settings: str) -> Configuration:
    return load_configuration(Path(CONFIGS / "contact.toml"), list(settings))


def recorded(c: Configuration, skew: float, count: int, damping: float = 0.0) -> tuple[list, list[Contact]]:
    """What a driver would tell of bounces along the world's x that it feels beside a bias."""
    start = np.array(c.robot.start)
    _, _, J = held_frame(load_arm_model(c.robot.model), start, Frames.from_configuration(c).T_flange_object)
    along = np.linalg.pinv(J)[:, 0]
    cube, rows, contacts = HeldCube(c), [], []
    for number in range(count):
        x, force = bounce(skew, 10 + number, damping=damping)
        way, felt = np.full(APART, x[0]), np.zeros(APART)
        way[TOUCH : TOUCH + len(x)], felt[TOUCH : TOUCH + len(x)] = x, force
        way[TOUCH + len(x) :] = x[-1]
        q = start + way[:, None] * along
        R, _ = cube.object_poses(q)
        wrench = np.zeros((APART, 6))
        wrench[:, :3] = np.einsum("nji,j->ni", R, np.array([-1.0, 0.0, 0.0])) * felt[:, None]
        first_ns = 10**9 + round(1e9 * STEP) * APART * number
        t_ns = first_ns + round(1e9 * STEP) * np.arange(APART)
        rows.append((t_ns, q, wrench + BIAS))
        touched = np.flatnonzero(felt > 1.0)
        contacts.append(told(number + 1, int(t_ns[touched[0] - 3]), int(t_ns[touched[-1] + 3])))
    return [block(*row) for row in rows], contacts


def block(t_ns: Array, q: Array, wrench: Array) -> CycleBlock:
    stamps = np.repeat(t_ns[:, None], 6, axis=1)
    return CycleBlock(int(t_ns[-1]), stamps, np.zeros((len(q), 5), np.int64), q, q, wrench)


def told(number: int, start_ns: int, end_ns: int) -> Contact:
    return Contact(
        end_ns, number, start_ns, end_ns, True, 1e-9 * (end_ns - start_ns), 2e4, 0.0, 0.0, 0.0, 0.0, 60.0,
        0.0, 20.0, 1e-3, 0.02, 0.02, 0.012, 0.012, 0.0, np.zeros(6),
    )  # fmt: skip


def test_bounces_show_the_skew_and_its_key() -> None:
    """A bias beside the force, axes of the object, an arm with joints: still to a fifth of a millisecond."""
    c = contact_configuration()
    found = spring_shown(*recorded(c, 0.0031, 4), c)
    assert found is not None and found.shown and abs(found.skew - 0.0031) < 2e-4, found
    lines = spring_lines(found, 4, c)
    assert lines[-1] == f"wrench_skew_ms = {1e3 * found.skew:.2f}" and "[force]" in lines


def test_contacts_that_are_open_or_not_recorded_do_not_count() -> None:
    """One of four is open still, of another the cycles are missing: two are too few."""
    c = contact_configuration()
    blocks, contacts = recorded(c, 0.002, 4)
    assert spring_shown(blocks, contacts[:2], c) is None and spring_shown([], contacts, c) is None
    assert spring_shown(blocks, [replace(contacts[0], ended=False), *contacts[1:3]], c) is None
    assert spring_shown([blocks[0], *blocks[2:]], contacts, c).contacts == 3  # type: ignore[union-attr]
    assert "too few" in spring_lines(None, 2, c)[0]


def test_a_damped_port_is_told_and_no_key_is_printed() -> None:
    """What it shows is the port's damping."""
    c = contact_configuration()
    found = spring_shown(*recorded(c, 0.0, 4, damping=400.0), c)
    assert found is not None
    lines = spring_lines(found, 4, c)
    assert "no steel spring" in lines[-1] and not any("wrench_skew_ms" in line for line in lines)


def test_where_contacts_show_no_skew_it_is_refused() -> None:
    """Pushes; a sensor that feels the mock-up's inertia in each contact; too few."""
    assert refusal(contact_configuration(), 6) == ""
    assert "at least 3" in refusal(contact_configuration(), 2)
    assert "mode 'contact'" in refusal(contact_configuration('force.mode="pushes"'), 6)
    sensor = load_configuration(Path(CONFIGS / "sensor.toml"), ['force.mode="contact"'])
    assert "calibrate timing" in refusal(sensor, 6)


def test_of_a_long_wait_only_what_contacts_need_is_kept() -> None:
    """Two seconds around each contact, and the newest two."""
    times = range(0, 60 * 10**9, 10**9)
    blocks = [block(np.array([t]), np.zeros((1, 7)), np.zeros((1, 6))) for t in times]
    kept = needed(blocks, [told(1, 20 * 10**9, 20 * 10**9 + 10**8)])
    assert [one.t_ns // 10**9 for one in kept] == [18, 19, 20, 21, 22, 57, 58, 59]
    assert needed([], []) == []
