"""Floating by joints for which the stops are not certified is refused, wherever the object is held."""

import math
from pathlib import Path

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.configuration import Configuration, load_configuration
from hil.configuration.workspace_stamp import FAMILY, workspace_stamp
from hil.loop.judging.held_pose import HeldPose
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.outside_set import place_of
from hil.loop.judging.posture import ASIDE, Posture, Settling
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose, jacobian
from planner.kinematics.inverse import solve_into
from planner.workspace.grid import Resolution
from planner.workspace.resting import SPREAD, Resting, certify_resting
from tests.hil.robot_states import standing

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
ARM_ANGLES = np.radians(np.arange(-180.0, 180.0, 30.0))


@pytest.fixture(scope="module")
def fr3() -> Configuration:
    """The cube on an arm that has no branches."""
    return load_configuration(CONFIGS / "fr3.toml")


def postures(c: Configuration) -> list[tuple[int, Array]]:
    """All branches, at all arm angles that limits allow, that hold the object where the start pose does."""
    model, found = load_arm_model(c.robot.model), []
    T = flange_pose(model.geometry, np.array(c.robot.start))
    for branch in range(8):
        for angle in ARM_ANGLES:
            q = np.zeros(7)
            if solve_into(q, model.lengths, model.signs, T, angle, branch, q) and np.all(
                (q > model.lower) & (q < model.upper)
            ):
                found.append((branch, q))
    return found


def floated(c: Configuration, q: Array) -> str:
    """What the judge says to floating with the arm at joints `q`; nothing if it floats."""
    judge = Judge(c)
    judge.step(0, Evidence(robot=standing(q)))
    told = judge.status()["float_refused"]
    try:
        judge.order("float")
    except OperatorError as refusal:
        assert judge.machine.state is State.READY and judge.machine.epoch == 0
        assert str(refusal) == f"float is refused: {told}" and "\n" not in told
        return told
    assert judge.machine.state is State.FLOATING and told == ""
    return ""


def twisted(c: Configuration, q: Array) -> float:
    """By how much the object is twisted that joints hold."""
    return place_of(*HeldPose(c).at(q), c.stops).twisted


def test_another_branch_is_refused_with_the_joints_and_the_remedy(cube: Configuration) -> None:
    """Every branch of the closed form at the very same pose of the object: only the start pose's floats."""
    seen: dict[int, int] = {}
    for branch, q in postures(cube):
        seen[branch] = seen.get(branch, 0) + 1
        across = [f"A{j + 1}" for j in FAMILY if q[j] * cube.robot.start[j] < 0.0]
        told = floated(cube, q)
        assert bool(told) == bool(across), (branch, q)
        if across:
            assert told.startswith(" and ".join(filter(None, (", ".join(across[:-1]), across[-1]))) + " ")
            assert "on the other side" in told and "`zerog approach` brings the arm" in told
    assert len(seen) == 8 and min(seen.values()) > 1


def test_a_start_pose_in_another_branch_than_certified_is_refused(cube: Configuration) -> None:
    """The certificate's branch counts, whatever start_deg was made since; nor does the certificate hold."""
    q = next(q for branch, q in postures(cube) if branch == 5)
    c = changed(cube, "robot", start=q)
    assert workspace_stamp(c) != cube.stops.certified == workspace_stamp(cube)
    told = floated(c, q)
    assert told.startswith("A2 is on the other side") and "robot.start_deg: mend it, or certify anew" in told
    assert floated(c, cube.robot.start) == ""
    anew = changed(c, "stops", certified=workspace_stamp(c))
    assert floated(anew, q) == "" and "zerog approach" in floated(anew, cube.robot.start)


def test_lock_step_refuses_another_branch_and_nothing_moves(cube: Configuration) -> None:
    """The emulated arm begins where its object may float, by joints that may not."""
    q = next(q for branch, q in postures(cube) if branch == 6)
    loop = LockStep(changed(cube, "emulator", start=q))
    with pytest.raises(OperatorError, match="A4 is on the other side"):
        loop.run(1.0)
    assert not loop._driver.moving


def test_where_an_arm_without_branches_settles_is_where_its_certificate_has_it(fr3: Configuration) -> None:
    """At every pose of a grid, by another optimisation; twisted, with A7 turned as far."""
    model = load_arm_model(fr3.robot.model)
    found = certify_resting(fr3, model, lambda *_: None, Resolution(3, 1, 1, 0), Resolution(3, 3, 1, 0))
    assert isinstance(found, Resting)
    settling = Settling(fr3)
    for q in found.joints[::9]:
        for turn in (0.0, 0.9):
            turned = q + turn * np.eye(7)[6]
            settled = settling.joints_for(turned, twisted(fr3, turned))
            assert settled is not None and settled == pytest.approx(turned, abs=1e-5)


def test_another_resting_posture_is_refused(fr3: Configuration) -> None:
    """Elbow to the other side: the planner would draw the arm no nearer to its start pose from there."""
    model = load_arm_model(fr3.robot.model)
    T = flange_pose(model.geometry, np.array(fr3.robot.start))
    for side in (1.0, -1.0):
        q = np.radians([-97.7 * side, 56.5, 126.2 * side, -121.8, -42.8 * side, 82.7, 38.5 * side])
        q = returned(model.geometry, q, T)
        told = floated(fr3, q)
        assert told.startswith("A3 is 126.2 deg from where the arm settles") and "7.5 deg are allowed" in told
        assert "`zerog approach` brings the arm" in told


def test_as_far_aside_as_was_certified_is_allowed_and_no_farther(fr3: Configuration) -> None:
    """Along the self-motion, to both sides, also with the object twisted."""
    model = load_arm_model(fr3.robot.model)
    assert ASIDE == SPREAD
    start = np.array(fr3.robot.start)
    for twist in (0.0, math.radians(50.0)):
        for side in (1.0, -1.0):
            for share, allowed in ((0.97, True), (1.03, False)):
                q = start.copy()
                q[6] += twist
                T, free = (
                    flange_pose(model.geometry, q),
                    np.linalg.svd(jacobian(model.geometry, q, np.eye(4)))[2][-1],
                )
                q = returned(model.geometry, q + side * share * ASIDE * free / np.abs(free).max(), T)
                assert (floated(fr3, q) == "") == allowed, (twist, side, share)


def returned(geometry: np.ndarray, q: Array, T: Array) -> Array:
    """Joints near `q` that hold the flange at a pose, by Newton."""
    q = q.copy()
    for _ in range(20):
        T_q = flange_pose(geometry, q)
        turn = T[:3, :3] @ T_q[:3, :3].T
        w = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        missing = np.concatenate([T[:3, 3] - T_q[:3, 3], w])
        q += np.linalg.pinv(jacobian(geometry, q, np.eye(4))) @ missing
    return q


def test_what_is_certified_by_no_posture_is_not_judged_by_one(cube: Configuration) -> None:
    """A passive chain is certified nowhere; without stops, or an arm that follows, nothing is."""
    q = next(q for branch, q in postures(cube) if branch == 6)
    for c in (
        changed(cube, "planner", inverse="passive-chain"),
        changed(cube, "stops", enabled=False),
        changed(cube, "run", follow=False),
    ):
        assert floated(c, q) == ""


def test_what_is_no_number_or_leads_nowhere_is_told(fr3: Configuration) -> None:
    """No numbers are refused as lying outside, and so are all poses that the arm cannot settle to."""
    assert "outside the stops" in floated(fr3, np.full(7, np.nan))
    model, settling, posture = load_arm_model(fr3.robot.model), Settling(fr3), Posture(fr3)
    drawn = np.random.default_rng(4).uniform(model.lower, model.upper, (12, 7))
    nowhere = [q for q in drawn if settling.joints_for(q, 0.0) is None]
    assert nowhere
    for q in nowhere:
        assert "the arm does not come here from its start pose" in posture.fault(q, 0.0)


def test_each_posture_is_judged_by_itself(fr3: Configuration) -> None:
    """One after the other, there and back."""
    posture, start = Posture(fr3), np.array(fr3.robot.start)
    other = np.radians([-97.7, 56.5, 126.2, -121.8, -42.8, 82.7, 38.5])
    told = [bool(posture.fault(q, twisted(fr3, q))) for q in (start, other, other, start)]
    assert told == [False, True, True, False]
