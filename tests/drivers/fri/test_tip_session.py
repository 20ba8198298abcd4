"""The client's side of a controller under Cartesian impedance: poses, gripper, mirror."""

import numpy as np
import pytest

from drivers.fri.codec import MonitorDatagram, decode_command, encode_monitor
from drivers.fri.layout import KRL_START, KRL_STOP, CommandFlags, ControlStrategy
from drivers.fri.tip_session import TipSession, pose_of_rows
from hil.common.errors import LinkError
from hil.configuration.schema import Fri

HOST = "127.0.0.1"
STIFF = np.array([500.0, 500.0, 500.0, 50.0, 50.0, 50.0])
MEASURED = np.array([0.0, -1.0, 0.0, 0.5, 1.0, 0.0, 0.0, -0.25, 0.0, 0.0, 1.0, 0.75])
COMMANDED = MEASURED + np.array([0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
WANTED = np.eye(4)
WANTED[:3, 3] = 0.1, 0.2, 0.3


def packet(sequence, state=2, control=ControlStrategy.CARTESIAN_IMPEDANCE, pose=MEASURED):
    d = MonitorDatagram(sequence, state=state, quality=3, sample_time=0.002, power=0x7F, control=int(control))
    d.part("pose_measured")[:], d.part("pose_commanded")[:] = pose, COMMANDED
    d.krl_real = (12.5, 3.0, 4.0, *[0.0] * 13)
    return encode_monitor(d)


def answered(session, data, n, closed=False, stops=False):
    sample = session.receive(data, HOST, 2_000_000 * n)
    return decode_command(session.answer_tip(sample, WANTED, closed, stops))


def test_poses_go_out_where_they_may_move_the_tip():
    """Outside command state, and in its first cycle, the controller's own; then what is wanted."""
    session, poses = TipSession(Fri(), STIFF), []
    for n, state in enumerate((1, 2, 2, 1, 2)):
        reply = answered(session, packet(n, state), n)
        assert reply.flags == CommandFlags.CARTESIAN_POSE | CommandFlags.CARTESIAN_STIFFNESS
        assert reply.part("cartesian_stiffness") == pytest.approx(STIFF)
        poses.append(reply.part("pose").copy())
    for n in (0, 1, 3, 4):
        assert poses[n] == pytest.approx(COMMANDED, abs=1e-6)
    assert poses[2] == pytest.approx(WANTED[:3].ravel(), abs=1e-6)


def test_the_gripper_and_the_end_are_told_in_krl_integers():
    """The second one closes; the first asks for command state, or for its end."""
    session = TipSession(Fri(handshake="krl_int"), STIFF)
    assert answered(session, packet(0), 0).krl_int[:2] == (KRL_START, 0)
    assert answered(session, packet(1), 1, closed=True).krl_int[:2] == (KRL_START, 1)
    assert answered(session, packet(2), 2, stops=True).krl_int[:2] == (KRL_STOP, 0)


def test_what_it_says_of_the_tip():
    """Poses by their rows, the opening in metres, forces of the pads."""
    session = TipSession(Fri(), STIFF)
    answered(session, packet(0), 0)
    tip = session.tip
    assert tip.T_base_tip == pytest.approx(pose_of_rows(MEASURED), abs=1e-6)
    assert tip.opening == pytest.approx(0.0125)
    assert tip.pads.tolist() == [3.0, 4.0]
    assert session.trouble == ""


def test_another_strategy_or_no_place_is_trouble():
    """Position control would press with all that the arm has."""
    session = TipSession(Fri(), STIFF)
    answered(session, packet(0, control=ControlStrategy.POSITION), 0)
    assert "not under Cartesian impedance" in session.trouble
    answered(session, packet(1, pose=np.full(12, np.nan)), 1)
    assert "a place of its tip that is none" in session.trouble


def test_each_packet_is_answered_once():
    """A second answer within a cycle would be a jump."""
    session = TipSession(Fri(), STIFF)
    sample = session.receive(packet(0), HOST, 0)
    session.answer_tip(sample, None, False)
    with pytest.raises(LinkError, match="has been answered"):
        session.answer_tip(sample, None, False)
