"""The joint torques as a witness: they bear a true wrench out and show a wrong sign, by virtual work."""

import math

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.geometry import quat_from_matrix, rotvec_from_quat
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.messaging.messages import ImpulseSlice
from hil.wrench.held_body import object_pose
from hil.wrench.witness.torques import TorqueWitness
from planner.kinematics.arm_model import load_arm_model

MS = 1_000_000
Q = np.array([0.3, -0.9, 0.4, 1.2, -0.5, 0.8, 0.2])


class Arm:
    """The arm's statics by finite differences of the object's pose: the torques' work is the wrench's."""

    def __init__(self, c: Configuration) -> None:
        self._model, self._frames = load_arm_model(c.robot.model), Frames.from_configuration(c)

    def pose(self, q):
        m, f = self._model, self._frames
        return object_pose(m.geometry, q, np.eye(4), f.T_flange_object)

    def torques(self, q, wrench_object):
        R = self.pose(q)[:3, :3]
        out, h = np.zeros(7), 1e-6
        for j, step in enumerate(h * np.eye(7)):
            a, b = self.pose(q - step), self.pose(q + step)
            moved = R.T @ (b[:3, 3] - a[:3, 3]) / (2 * h)
            turned = (
                R.T
                @ rotvec_from_quat(quat_from_matrix(np.ascontiguousarray(b[:3, :3] @ a[:3, :3].T)))
                / (2 * h)
            )
            out[j] = wrench_object[:3] @ moved + wrench_object[3:] @ turned
        return out


@pytest.fixture
def arm(cube: Configuration) -> Arm:
    return Arm(cube)


def witness_of(c: Configuration, **fri) -> TorqueWitness:
    return TorqueWitness(changed(c, "fri", **fri) if fri else c, load_arm_model(c.robot.model))


def test_a_true_wrench_is_borne_out(cube: Configuration, arm: Arm) -> None:
    """In any pose and for any wrench the disagreement is none; with the other sign of both it is none too."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        q, w = Q + 0.3 * rng.normal(size=7), 10.0 * rng.normal(size=6)
        for sign in (1, -1):
            witness = witness_of(cube, torque_sign=sign)
            witness.take(0, q, w, sign * arm.torques(q, w), True)
            np.testing.assert_allclose(witness.now, 0.0, atol=1e-6)


def test_a_reversed_wrench_is_contradicted(cube: Configuration, arm: Arm) -> None:
    """Measured -w, torques of w: the disagreement is -2 w, but for the little that torques cannot show."""
    w = np.array([12.0, -5.0, 8.0, 0.5, -1.0, 0.7])
    witness = witness_of(cube)
    witness.take(0, Q, -w, arm.torques(Q, w), True)
    np.testing.assert_allclose(witness.now[:3], -2.0 * w[:3], rtol=0.06)
    assert np.linalg.norm(witness.now + 2.0 * w) < 0.05 * np.linalg.norm(2.0 * w)


def piece(start_ms, stop_ms, value, index=0, revision=0, final=False, t_ms=None):
    return ImpulseSlice(
        (t_ms or stop_ms) * MS, 1, index, revision, final, False, False, False,
        start_ms * MS, stop_ms * MS, (start_ms + stop_ms) // 2 * MS, np.array(value, float), np.zeros(6),
    )  # fmt: skip


def pushed(witness: TorqueWitness, arm: Arm, peak, offset, torque_offset, sign=-1.0):
    """A half-sine of 100 ms from 500 ms on, sampled every 2 ms; the wrench has it times `sign`."""
    slices = []
    for k in range(500):
        t_ms = 2 * k
        size = math.sin(math.pi * (t_ms - 500) / 100) if 500 < t_ms < 600 else 0.0
        true = size * peak
        witness.take(
            t_ms * MS, Q, sign * true + offset, arm.torques(Q, true) + torque_offset, not 512 <= t_ms < 620
        )
        if 512 <= t_ms <= 600:
            slices += witness.testify([piece(500, t_ms, true, revision=(t_ms - 512) // 2)])
    return slices + witness.testify([piece(500, 600, true, revision=99, final=True, t_ms=800)])


def test_impulse_over_a_slice_by_closed_form(cube: Configuration, arm: Arm) -> None:
    """A reversed half-sine of impulse 2 T F / pi gives twice that as disagreement; offsets do not count.

    Statements come at the first revision, every 20 ms and at the final one.
    """
    peak = np.array([0.0, 20.0, 0.0, 0.0, 0.0, 1.0])
    statements = pushed(witness_of(cube), arm, peak, np.full(6, 0.7), np.full(7, -0.4))
    impulse = 2.0 * 0.1 * peak / math.pi
    assert len(statements) == 6
    np.testing.assert_allclose(
        statements[-1].disagreement, -2.0 * impulse, atol=0.06 * np.linalg.norm(2 * impulse)
    )
    true = pushed(witness_of(cube), arm, peak, np.full(6, 0.7), np.full(7, -0.4), sign=1.0)[-1]
    np.testing.assert_allclose(true.disagreement, 0.0, atol=1e-6)


def test_a_statement_comes_with_the_first_and_the_last_revision(cube: Configuration) -> None:
    """Revisions 2 ms apart: the slice's first and its last are spoken of, none between; so of the next."""
    witness, spoken = witness_of(cube), []
    for index, start in ((0, 500), (1, 508)):
        for revision in range(4):
            t_ms = start + 2 * (revision + 1)
            item = piece(start, t_ms, np.ones(6), index, revision, final=revision == 3)
            spoken += [(s.slice_index, s.t_ns // MS) for s in witness.testify([item])]
    assert spoken == [(0, 502), (0, 508), (1, 510), (1, 516)]


def test_the_baseline_is_that_of_before_the_push(cube: Configuration, arm: Arm) -> None:
    """A push that is noticed 40 ms late, in which the wrench is D too great: D times its duration is told.

    So no part of D is taken for an offset, though the mean ran on; D begins between samples 2 ms apart.
    """
    offset, more = np.full(6, 0.3), np.array([5.0, -3.0, 4.0, 0.2, -0.4, 0.1])
    witness, still = witness_of(cube), arm.torques(Q, offset)
    for t_ms in range(0, 542, 2):
        witness.take(t_ms * MS, Q, offset + (more if t_ms > 500 else 0.0), still, True)
    contradiction = witness.now.copy()
    assert np.linalg.norm(contradiction - more) < 0.06 * np.linalg.norm(more)
    (statement,) = witness.testify([piece(500, 540, more)])
    np.testing.assert_allclose(statement.disagreement, 0.039 * contradiction, atol=1e-7)


def test_without_a_witness_nothing_is_contradicted(cube: Configuration, arm: Arm) -> None:
    """With `fri.torque_sign = 0` the wrench vouches for itself."""
    statements = pushed(witness_of(cube, torque_sign=0), arm, np.ones(6), np.zeros(6), np.zeros(7))
    assert len(statements) == 6 and not any(s.disagreement.any() for s in statements)


def test_samples_that_are_no_numbers_are_left_out(cube: Configuration, arm: Arm) -> None:
    """A NaN in wrench or torques spoils neither the present value nor any later sum."""
    w = np.array([12.0, -5.0, 8.0, 0.5, -1.0, 0.7])
    witness, tau = witness_of(cube), arm.torques(Q, w)
    for k in range(200):
        bad = k % 7 == 3
        wrench = np.where(np.arange(6) == k % 6, np.nan, w) if bad and k % 2 else w
        torque = np.where(np.arange(7) == k % 7, np.nan, tau) if bad and not k % 2 else tau
        witness.take(2 * k * MS, Q, wrench, torque, True)
    assert np.isfinite(witness.now).all()
    (statement,) = witness.testify([piece(100, 200, w)])
    np.testing.assert_allclose(statement.disagreement, 0.0, atol=1e-6)
