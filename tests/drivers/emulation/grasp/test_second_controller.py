"""The second arm's emulated controller: command state, what it refuses, what it does without answers."""

from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.grasp.partner_arm import PartnerArm
from drivers.emulation.grasp.second_controller import SPEED, SecondController
from drivers.fri.codec import NO_INTS, CommandDatagram, decode_monitor, encode_command
from drivers.fri.layout import CommandFlags, ControlStrategy, SessionState
from drivers.fri.tip_session import GRIP_SLOT, pose_of_rows
from hil.common.errors import BadMessage
from hil.configuration import load_configuration

C = load_configuration(Path(__file__).parents[4] / "configs" / "two_arms.toml")
BASE = np.diag([-1.0, -1.0, 1.0, 1.0])  # half a turn about the vertical
BASE[0, 3] = 1.74
FAR = np.eye(4)
FAR[:3, 3] = 5.0, 5.0, 5.0  # the object, out of everybody's way
START = np.array([[0.0, 0.0, -1.0, 1.1], [0.0, 1.0, 0.0, 0.05], [1.0, 0.0, 0.0, 0.2], [0.0, 0.0, 0.0, 1.0]])
Q = np.array([0.1, 0.2, 0.3, -1.0, 0.5, 0.6, 0.7])
POSE, STIFF = CommandFlags.CARTESIAN_POSE, CommandFlags.CARTESIAN_STIFFNESS


class Cell:
    """A controller, its arm, and a client that answers as it is told."""

    def __init__(self) -> None:
        self.arm = PartnerArm(C, FAR)
        self.arm.begin(START)
        self.reach = True
        self.controller = SecondController(C, self.arm, lambda T: Q if self.reach else None)
        self.T = np.linalg.inv(BASE) @ START  # where the client sends the tip, in its base
        self.count = 0

    def cycle(self, answers=True, closed=False, flags=POSE, **parts):
        """One cycle; return what the controller says."""
        said = decode_monitor(self.controller.send())
        if answers:
            self.count += 1
            reply = CommandDatagram(self.count, said.sequence, flags=int(flags))
            reply.krl_int = (0, int(closed), *NO_INTS[2:])
            reply.part("pose")[:] = self.T[:3].ravel()
            for name, value in parts.items():
                reply.part(name)[:] = value
            self.controller.receive(encode_command(reply))
        self.controller.advance()
        for k in range(2):
            self.arm.step(1e-3 * k, 1e-3 * (k + 1), FAR, np.zeros(6))
        return said

    def command(self):
        """Come into command state."""
        for _ in range(300):
            self.cycle()
        assert self.controller.state == SessionState.COMMAND
        return self


@pytest.fixture
def cell():
    """One in command state."""
    return Cell().command()


def test_it_says_where_its_tip_is_in_its_own_base(cell):
    """Pose, joints, gripper in millimetres, strategy; commanded and measured are where it was sent."""
    said = cell.cycle()
    measured = BASE @ pose_of_rows(said.part("pose_measured"))
    assert measured == pytest.approx(START, abs=1e-6)
    assert BASE @ pose_of_rows(said.part("pose_commanded")) == pytest.approx(START, abs=1e-6)
    assert said.q_measured == pytest.approx(Q, abs=1e-6)
    assert said.krl_real[0] == pytest.approx(1e3 * C.grasp.opening)
    assert said.control == ControlStrategy.CARTESIAN_IMPEDANCE


def test_command_state_needs_answers_for_a_while():
    """Not before the link has been PERFECT for 0.2 s, and never without answers."""
    cell = Cell()
    states = [cell.cycle().state for _ in range(300)]
    first = states.index(SessionState.COMMAND)
    assert first * 0.002 == pytest.approx(0.095 * 2 + 0.2, abs=0.01)
    silent = Cell()
    assert {silent.cycle(answers=False).state for _ in range(300)} == {SessionState.MONITOR}


def test_its_tip_goes_where_it_is_sent_and_no_faster(cell):
    """0.4 m/s is obeyed; a step of 2 mm in 2 ms is refused with both numbers, and the tip stays."""
    for _ in range(100):
        cell.T[0, 3] -= 0.4 * 0.002
        cell.cycle()
    assert (BASE @ cell.T)[0, 3] == pytest.approx(1.1 + 0.08)
    assert cell.arm.T_world_aim[0, 3] == pytest.approx(1.18, abs=1e-6)
    cell.T[1, 3] += 2e-3
    cell.cycle()
    assert cell.controller.state == SessionState.MONITOR
    told = cell.controller.fall_back_reason
    assert "2.00 mm" in told
    assert f"{1e3 * SPEED * 0.002:.2f}" in told
    for _ in range(500):
        cell.cycle(answers=False)
    assert cell.arm.T_world_tip[:2, 3] == pytest.approx([1.18, 0.05], abs=1e-4)


def test_without_an_answer_the_tip_goes_on_as_it_went(cell):
    """Three answers in a row are missed, again and again: 40 mm/s all the same."""
    v, aims = 0.04, []
    for n in range(400):
        cell.T[1, 3] -= v * 0.002
        cell.cycle(answers=n < 100 or n % 10 > 2)
        aims.append(cell.arm.T_world_aim[1, 3])
    assert cell.controller.state == SessionState.COMMAND
    assert np.diff(aims[1:]) == pytest.approx(v * 0.002, abs=2e-6)


def test_a_step_that_was_owed_is_made_once(cell):
    """It sets off while answers are missed: the first one makes up for them, and no pace comes of it."""
    v, begun = 0.04, cell.T[1, 3]
    for n in range(16):
        cell.T[1, 3] -= v * 0.002
        cell.cycle(answers=n % 4 == 3)
        ahead = (cell.arm.T_world_aim[1, 3] - (BASE @ cell.T)[1, 3]) / (v * 0.002)  # cycles
        assert ahead < 0.01
        assert ahead > -4.01 if n < 3 else ahead > -0.01
    assert begun - cell.T[1, 3] == pytest.approx(16 * v * 0.002)


def test_answers_that_fail_to_come_end_command_state(cell):
    """After as many as the first arm's controller bears; the gripper stays as it is."""
    cell.cycle(closed=True)
    for _ in range(C.emulator.missed_answers + 1):
        cell.cycle(answers=False)
    assert cell.controller.state == SessionState.MONITOR
    assert "missed in a row" in cell.controller.fall_back_reason
    assert cell.arm.closing


@pytest.mark.parametrize(
    ("words", "flags", "parts"),
    [
        ("poses only", CommandFlags.JOINT_POSITION, {}),
        ("by which the grasp was judged", POSE | STIFF, {"cartesian_stiffness": [900.0] * 3 + [50.0] * 3}),
        ("not orthonormal, or not finite", POSE, {"pose": np.full(12, np.nan)}),
        ("not orthonormal, or not finite", POSE, {"pose": np.zeros(12)}),
    ],
)
def test_what_is_no_command_for_it_is_refused(cell, words, flags, parts):
    """Joints, another stiffness than the configured one, poses that are none."""
    cell.cycle(flags=flags, **parts)
    assert words in cell.controller.fall_back_reason
    assert cell.controller.state == SessionState.MONITOR


def test_the_configured_stiffness_is_obeyed(cell):
    """Told with every pose."""
    cell.cycle(flags=POSE | STIFF, cartesian_stiffness=[500.0] * 3 + [50.0] * 3)
    assert cell.controller.state == SessionState.COMMAND


def test_out_of_reach_it_stops(cell):
    """A tip that the arm's joints cannot bring there."""
    cell.reach = False
    cell.cycle()
    assert "does not reach" in cell.controller.fall_back_reason


def test_the_gripper_obeys_its_integer_alone(cell):
    """1 closes, anything else opens, the drives off end it."""
    assert GRIP_SLOT == 1
    cell.cycle(closed=True)
    assert cell.arm.closing
    cell.cycle(closed=False)
    assert not cell.arm.closing
    cell.controller.power_on = False
    cell.cycle()
    assert cell.controller.fall_back_reason == "drives off"


def test_an_answer_is_owed_by_who_answers():
    """From the first answer on, in monitor state too; no longer when as many were missed as end a session."""
    cell = Cell()
    controller = cell.controller
    controller.send()
    assert not controller.owed  # nobody is there
    cell.cycle()
    for n in range(C.emulator.missed_answers + 5):
        controller.send()
        assert controller.owed is (n < C.emulator.missed_answers)
        cell.cycle(answers=False)
    assert controller.state == SessionState.MONITOR


def test_an_answer_to_what_was_not_sent_is_refused(cell):
    """A counter of the future."""
    reply = CommandDatagram(1, (cell.controller._cycle + 5) % 65536, flags=int(POSE))
    with pytest.raises(BadMessage, match="was not sent yet"):
        cell.controller.receive(encode_command(reply))
