"""Twenty contacts and more, on bodies and contact points that are MuJoCo's."""

import numpy as np

from bench.hard_and_soft import FRICTION, GRAVITY, HALF, MASS, STEP, box, moved, pins


def test_twenty_pins_carry_their_plate() -> None:
    """Redundant 14 times over; the sum of the forces is the weight, and nothing sinks or moves."""
    model, data, stepper, _ = moved(pins(), 60, hard=True)
    assert stepper is not None and (stepper.contacts, stepper.unsolved) == (20, 0)
    weight = float(model.body_mass.sum()) * GRAVITY
    assert np.isclose(stepper.impulses[::3].sum() / STEP, weight, rtol=1e-9)
    assert (stepper.impulses[::3] >= 0.0).all() and np.abs(data.qvel).max() < 1e-9
    assert min(contact.dist for contact in data.contact[: data.ncon]) > -1e-9


def test_a_stack_of_boxes_stands() -> None:
    stack = "".join(box(HALF + 2.0 * HALF * k) for k in range(3))
    _, data, stepper, _ = moved(stack, 60, hard=True)
    assert stepper is not None and stepper.contacts >= 12 and stepper.unsolved == 0
    assert np.allclose(data.qpos[2::7], [HALF, 3.0 * HALF, 5.0 * HALF], atol=1e-9)


def test_hard_friction_holds_where_soft_friction_creeps() -> None:
    """Nine tenths of what friction can hold: nothing moves hard, soft it does; a little more slides alike."""
    for part, still in ((0.9, True), (1.1, False)):
        push = part * FRICTION * MASS * GRAVITY
        hard, soft = (moved(box(HALF), 300, hard, push=push)[1].qpos[0] for hard in (True, False))
        if still:
            assert abs(hard) < 1e-9 and soft > 1e-4
        else:
            free = 0.5 * 0.1 * FRICTION * GRAVITY * 0.3**2
            assert abs(hard / free - 1.0) < 0.01 and soft > hard
