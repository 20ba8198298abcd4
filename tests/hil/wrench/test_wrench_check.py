"""The verdict on a measured wrench: every sign, frame and swapped axis is told apart, with the remedy."""

from itertools import product

import numpy as np
import pytest

from hil.common.errors import LinkError
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.configuration import Configuration
from hil.messaging.messages import CycleBlock, RobotState
from hil.wrench.held_body import object_wrench
from hil.wrench.known.measured import GRAVITY, KnownForce, measured
from hil.wrench.known.verdict import Probe, findings
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose

R_BASE_TCP = matrix_from_quat(quat_from_rotvec(np.array([0.4, 1.9, -0.3])))
READINGS = list(product((1, -1), ("base", "tool")))


def turned(R, wrench):
    return np.concatenate([R @ wrench[:3], R @ wrench[3:]])


def probes(sign=1, frame="base", gain=1.0, torque_sign=1, axes=None, R=R_BASE_TCP, shift=None):
    """What an interface of that kind says of forces along x, y and z, 0.1 m beside the tcp."""
    axes = np.eye(3) if axes is None else axes
    lever = np.array([0.0, 0.1, 0.05])
    made = []
    for force in 20.0 * np.eye(3):
        true = np.concatenate([force, np.cross(lever, force)])
        felt = true if shift is None else np.concatenate([force, np.cross(lever + shift, force)])
        wire = sign * gain * turned(axes, turned(R.T, felt) if frame == "tool" else felt)
        made.append(Probe(true, wire, torque_sign * true, R))
    return made


def wrong(verdict):
    return {finding.topic: finding.text for finding in verdict if not finding.right}


@pytest.mark.parametrize("configured", READINGS)
@pytest.mark.parametrize("real", READINGS)
def test_sign_and_frame_are_told_apart(configured, real):
    """Right where the configuration is right; else exactly the wrong key is named, with its value."""
    found = wrong(findings(probes(*real), *configured, 1))
    expected = {}
    if real[0] != configured[0]:
        expected["sign"] = f"reversed: set fri.wrench_sign = {real[0]}"
    if real[1] != configured[1]:
        expected["frame"] = f'looks like the other frame: set fri.wrench_frame = "{real[1]}"'
    assert found == expected


@pytest.mark.parametrize("real", READINGS)
@pytest.mark.parametrize("axis", [(1, 0, 2), (0, 2, 1), (2, 1, 0), "x", "y", "z"])
def test_swapped_or_flipped_axes_are_no_sign(axis, real):
    """Two axes swapped, or one of them reversed, is explained by no sign and no frame."""
    axes = (
        np.diag(np.where(np.array(list("xyz")) == axis, -1.0, 1.0))
        if isinstance(axis, str)
        else np.eye(3)[list(axis)]
    )
    found = wrong(findings(probes(*real, axes=axes), 1, "base", 1))
    assert list(found) == ["axes"]


def test_a_weight_that_hung_before_is_no_flipped_axis():
    """Only noise came, in any direction: the question is where the weight was, not which axis is wrong."""
    gravity = np.array([0.0, 0.0, -14.7, 0.0, 0.0, 0.0])
    noise = np.array([0.3, 0.2, 0.1, 0.0, 0.0, 0.0])
    found = wrong(findings([Probe(gravity, noise, noise, R_BASE_TCP)], 1, "base", 1))
    assert list(found) == ["force"] and found["force"].startswith("the force changed by 0.4 N where 14.7 N")


def test_magnitude_within_a_tenth():
    """9 % too much passes, 11 % does not; a quarter too little neither."""
    for gain, right in ((1.09, True), (1.11, False), (0.91, True), (0.75, False)):
        assert ("magnitude" not in wrong(findings(probes(gain=gain), 1, "base", 1))) == right, gain


def test_moment_by_the_point_of_attack():
    """A tcp that lies 15 mm off passes, one that lies 40 mm off does not."""
    assert not wrong(findings(probes(shift=np.array([0.015, 0.0, 0.0])), 1, "base", 1))
    assert list(wrong(findings(probes(shift=np.array([0.04, 0.0, 0.0])), 1, "base", 1))) == ["moment"]


def test_torque_witness_sign_absence_and_nonsense():
    """Its sign is found whatever the wrench's; not to use it is no fault; torques without the force are."""
    for sign, configured in product((1, -1), (1, -1)):
        found = wrong(findings(probes(torque_sign=sign), 1, "base", configured))
        assert found == (
            {}
            if sign == configured
            else {"torque witness": f"its sign is wrong: set fri.torque_sign = {sign}"}
        )
    assert not wrong(findings(probes(torque_sign=-1), 1, "base", 0))
    silent = [Probe(p.expected, p.wire, np.zeros(6), p.R_base_tcp) for p in probes()]
    assert list(wrong(findings(silent, 1, "base", 1))) == ["torque witness"]


def test_a_pose_that_cannot_tell_frames_says_so():
    """With tcp and base axes alike the configured frame passes with a request to turn the flange.

    Upside down a weight along z cannot tell a reversed sign from the other frame: both are offered.
    """
    verdict = findings(probes(R=np.eye(3)), 1, "tool", 1)
    assert not wrong(verdict) and "turn the flange" in verdict[1].text
    upside_down = np.diag([1.0, -1.0, -1.0])
    weight = np.array([0.0, 0.0, -15.0, 0.0, 0.0, 0.0])
    text = wrong(findings([Probe(weight, -weight, None, upside_down)], 1, "base", 0))["sign"]
    assert "wrench_sign = -1" in text and '"tool"' in text


def series(q, t, wrenches, disagreement=0.0):
    """The driver's blocks and states of some samples, the states every fifth; then what is made of them."""
    zero = np.zeros(7)
    stamps = np.array([round(1e9 * u) for u in t])
    blocks = [
        CycleBlock(
            0, np.tile(stamps[part, None], 6), np.zeros((len(stamps[part]), 5), np.int64),
            np.tile(q, (len(stamps[part]), 1)), np.tile(q, (len(stamps[part]), 1)), wrenches[part],
        )
        for part in (slice(0, 40), slice(40, None))
    ]  # fmt: skip
    states = [
        RobotState(
            t_ns=int(stamps[k]), arrival_ns=int(stamps[k]), session="command", quality=3, power_on=True,
            q_measured=q, q_command=q,
            dq_command=zero, wrench_object=wrenches[k], wrench_witness=wrenches[k] - disagreement, delay=0.01,
            following=False, braking_reason="", fault="", refusal="", cycles=0, missed=0, cycle_p50=0.0,
            sample_to_command_p50=0.0, ring_p50=0.0, unsent=0, unsent_reason="", warning="",
            approach_session=0, approach_end="",
        )
        for k in range(0, len(t), 5)
    ]  # fmt: skip
    return measured(blocks, states, int(stamps[0]), int(stamps[-1]))


@pytest.mark.parametrize(("sign", "frame"), READINGS)
def test_states_become_probes(cube: Configuration, sign: int, frame: str) -> None:
    """A weight and a push, made states by the driver's own way, come back as what was on the wire."""
    c = cube.model_copy(
        update={"fri": cube.fri.model_copy(update={"wrench_sign": sign, "wrench_frame": frame})}
    )
    c = c.model_copy(update={"object": c.object.model_copy(update={"rotvec": np.array([0.2, -0.5, 0.9])})})
    model = load_arm_model(c.robot.model)
    force = KnownForce(c, model)
    frames = force._frames
    q, lever = np.array([0.3, -0.9, 0.4, 1.2, -0.5, 0.8, 0.2]), np.array([0.05, -0.02, 0.1])
    R = (flange_pose(model.geometry, q) @ frames.T_flange_tcp)[:3, :3]

    def felt(wire):
        return object_wrench(
            model.geometry,
            q,
            frames.T_flange_tcp,
            frames.T_flange_object,
            sign * wire,
            frame == "tool",
        )

    true = np.array([0.0, 0.0, -1.5 * GRAVITY, 0.0, 0.0, 0.0])
    true[3:] = np.cross(R @ lever, true[:3])
    wire = sign * (turned(R.T, true) if frame == "tool" else true)
    offset, t = np.array([1.0, -2.0, 0.5, 0.1, 0.2, -0.1]), np.linspace(0.0, 1.0, 101)
    before = series(q, t, np.tile(offset, (101, 1)))
    probe = force.weight(before, series(q, t, np.tile(offset + felt(wire), (101, 1))), 1.5, lever)
    np.testing.assert_allclose(probe.expected, true, atol=1e-12)
    np.testing.assert_allclose(probe.wire, wire, atol=1e-12)
    np.testing.assert_allclose(probe.torques, true, atol=1e-12)
    assert not wrong(findings([probe], sign, frame, 1))

    pulse = np.sin(np.pi * np.clip((t - 0.2) / 0.5, 0.0, 1.0))  # impulse 2 T F / pi
    during = series(q, t, offset + pulse[:, None] * felt(wire))
    point = np.array([0.02, -0.05, 0.09])
    pushed = force.push(before, during, 2 * 0.5 * true[:3] / np.pi, point)
    np.testing.assert_allclose(pushed.expected[:3], true[:3] / np.pi, atol=1e-12)
    np.testing.assert_allclose(pushed.wire, wire / np.pi, rtol=1e-3, atol=1e-3)
    T_base_flange = flange_pose(model.geometry, q)
    place = (T_base_flange @ frames.T_flange_object @ np.append(point, 1.0))[:3]
    arm = place - (T_base_flange @ frames.T_flange_tcp)[:3, 3]
    np.testing.assert_allclose(pushed.expected[3:], np.cross(arm, pushed.expected[:3]), atol=1e-12)


def test_too_few_samples_are_an_error() -> None:
    """Where the driver says nothing there is no verdict."""
    with pytest.raises(LinkError, match="only 0 samples"):
        measured([], [], 0, 1_000_000_000)


def test_a_pose_that_cannot_tell_the_frame_leaves_a_doubt():
    """Tool axes as the base's: sign and frame are right as far as it tells; turned, there is no doubt."""
    for R, doubtful in ((np.eye(3), True), (R_BASE_TCP, False)):
        found = findings(probes(R=R), 1, "base", 1)
        assert all(finding.right for finding in found)
        assert [finding.doubtful for finding in found[:2]] == [doubtful] * 2
        assert not any(finding.doubtful for finding in found[2:])
