"""What the controller says of itself: the bits of every drive, and the one or two strategies that fit."""

import dataclasses

import numpy as np
import pytest

from drivers.fri.condition import STRATEGIES, drive_error, drive_warning, wrong_strategy
from drivers.fri.layout import ControlStrategy
from drivers.fri.session import FriSample
from hil.configuration.schema import Fri

WELL = FriSample(
    t_ns=1, arrival_ns=1, count=1, q_measured=np.zeros(7), q_commanded=np.zeros(7), wrench=np.zeros(6),
    torque_external=np.zeros(7), state=2, quality=3, power_on=True, commanding=True, new_session=False,
    late=False, lost=0, missed_answers=0, sequence=1,
)  # fmt: skip


def test_a_robot_that_is_well_says_nothing() -> None:
    """No bit set, all drives on, position control."""
    assert drive_error(WELL) == drive_warning(WELL) == wrong_strategy(WELL, Fri()) == ""


@pytest.mark.parametrize("drive", range(16))
def test_every_bit_is_named(drive: int) -> None:
    """Bit 0 is A1 and bit 6 is A7; a bit that no drive has is not passed over."""
    name = f"A{drive + 1}" if drive < 7 else f"bit {drive}"
    assert f"an error of {name}: clear it" in drive_error(dataclasses.replace(WELL, error=1 << drive))
    assert drive_warning(dataclasses.replace(WELL, warning=1 << drive)) == f"the controller warns of {name}"
    both = dataclasses.replace(WELL, error=1 << drive | 1)
    assert "A1" in drive_error(both) and name in drive_error(both)


def test_drives_that_are_off_while_others_are_on_are_named() -> None:
    """All on and all off are told otherwise; six of seven are a warning, beside any other."""
    assert drive_warning(dataclasses.replace(WELL, drives=0)) == ""
    assert drive_warning(dataclasses.replace(WELL, drives=0x7F & ~0x24)) == "off: A3, A6"
    assert drive_warning(dataclasses.replace(WELL, drives=0x7E, warning=2)) == (
        "the controller warns of A2; off: A1"
    )


@pytest.mark.parametrize("asked", STRATEGIES)
@pytest.mark.parametrize("control", [*ControlStrategy, 77])
def test_only_what_moves_by_joint_positions_is_right(asked: str, control: int) -> None:
    """Position and joint impedance control, or the one that is asked for; else the remedy is told."""
    fits = {
        "either": (1, 3),
        "position": (1,),
        "joint_impedance": (3,),
    }[asked]
    refusal = wrong_strategy(dataclasses.replace(WELL, control=control), Fri(control_strategy=asked))
    assert (refusal == "") == (control in fits)
    if refusal:
        assert "$STIFFNESS.STRATEGY" in refusal and f'fri.control_strategy = "{asked}"' in refusal
        assert ("10 (position)" in refusal) == (1 in fits)
        assert ("30 (joint impedance)" in refusal) == (3 in fits)
