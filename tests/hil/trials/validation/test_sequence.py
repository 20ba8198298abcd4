"""Commands of a sequence against kinematics of their own: lines, pauses, speeds and limits."""

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.configuration.frames import pose_of
from hil.trials.validation.setup import Setup
from planner.kinematics.forward import flange_pose
from tests.hil.trials.validation.setups import rim, slide


def tips(setup: Setup) -> tuple[np.ndarray, np.ndarray]:
    """The commanded tip in plate axes (n, 3), and the z axis of the flange in world (n, 3)."""
    e, arm = setup.experiment, setup.arm
    plate = pose_of(e.plate.rotvec, e.plate.position)
    places, axes = [], []
    for q in setup.commands:
        T = setup.T_world_base @ flange_pose(arm.geometry, q)
        places.append(plate[:3, :3].T @ (T[:3, 3] + e.peg.tip * T[:3, 2] - plate[:3, 3]))
        axes.append(T[:3, 2])
    return np.array(places), np.array(axes)


def test_the_slide_leads_straight_down_and_back() -> None:
    """The tip goes 5 cm below the table and back on a vertical line, the peg upright all the time."""
    setup = slide()
    p, z = tips(setup)
    np.testing.assert_allclose(p[:, :2], 0.0, atol=2e-6)
    assert p[:, 2].min() == pytest.approx(-0.05, abs=1e-9)
    assert p[0, 2] == pytest.approx(0.05, abs=2e-6) and p[-1, 2] == pytest.approx(0.05, abs=1e-9)
    np.testing.assert_allclose(z, np.tile([0.0, 0.0, -1.0], (len(z), 1)), atol=5e-6)
    # 0.2 s wait, twice 4 s of motion and 2 s of rest
    assert len(p) == 1 + 200 + 2 * (4000 + 2000)


def test_moves_begin_and_end_at_rest() -> None:
    """The greatest speed of a quintic is 15/8 of its mean; at its ends speed and acceleration vanish."""
    p, _ = tips(slide())
    speed = np.diff(p[:, 2]) / 1e-3
    assert np.abs(speed).max() == pytest.approx(0.025 * 15.0 / 8.0, rel=1e-4)
    assert np.abs(speed[[200, 4198]]).max() < 1e-5
    assert np.abs(np.diff(speed)).max() / 1e-3 < 0.04


def test_repetitions_are_alike() -> None:
    """Each repetition begins where the one before ended."""
    once, thrice = slide(), slide("sequence.repetitions=3")
    length = len(once.commands) - 1 - 200
    assert len(thrice.commands) == 1 + 200 + 3 * length
    np.testing.assert_allclose(thrice.commands[-length:], thrice.commands[-2 * length : -length], atol=1e-9)


def test_both_sides_of_the_rim_are_opposite() -> None:
    """The peg comes down 6 mm beside the hole's axis, then 6 mm on the other side; A6 moves it there."""
    setup = rim()
    p, _ = tips(setup)
    low = p[p[:, 2] < -0.0249]
    first, second = low[0], low[-1]
    np.testing.assert_allclose(first[:2], -second[:2], atol=1e-9)
    assert np.hypot(*first[:2]) == pytest.approx(0.006, abs=1e-5)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("plate.position_mm=[1400, 300, 700]", r"sequence\.move\[0\]\.tip_mm = \[0, 0, -50\] is out of the"),
        ("sequence.move=[{tip_mm=[0, 300, 400], speed_mm_s=50}]", r"beyond its limit|out of the arm's reach"),
        ("sequence.move=[{tip_mm=[0, 0, -50], speed_mm_s=900}]", r"deg/s of A\d, whose limit is \d+ deg/s"),
        ("arm.start_deg=[0, 0, 0, 130, 0, 0, 0]", r"arm\.start_deg: A4 = 130\.0 must be within -120\.0"),
    ],
)
def test_what_the_arm_cannot_do_is_refused(setting: str, words: str) -> None:
    """The error names the move, the joint and its limit."""
    with pytest.raises(ConfigurationError, match=rf"table_slide\.toml: .*({words})"):
        slide(setting, "campaign.moves=1")
