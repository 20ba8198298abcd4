"""The spring of a gear against straight lines drawn by hand and against quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad

from bench.drive_cases import plain_motor
from sim.drives.drive import DriveParameters, Drives, packed
from sim.drives.gear import Gear, TorqueSensor
from sim.drives.spring import mean_torque, torque_of, touching, twist_of

K, T = (3.0e4, 5.0e4, 6.0e4), (14.0, 48.0)
GAP = 4e-4


def record(backlash: float = 0.0, sensor: float | None = None) -> Drives:
    """A gear of three lines as the kernels see it."""
    gear = Gear(100.0, K, T, backlash=backlash)
    return packed([DriveParameters(plain_motor(1e-4), gear, sensor=TorqueSensor(sensor) if sensor else None)])


def by_hand(twist: float, backlash: float, lines: tuple[float, ...]) -> float:
    """Torque by the corners of its line: 0 at the gap's end, T1, T2, and on with the last slope."""
    corners = [0.5 * backlash]
    for size, k in ((T[0], lines[0]), (T[1] - T[0], lines[1]), (1000.0, lines[2])):
        corners.append(corners[-1] + size / k)
    return float(np.sign(twist) * np.interp(abs(twist), corners, [0.0, T[0], T[1], T[1] + 1000.0]))


@pytest.mark.parametrize("backlash", [0.0, GAP])
@pytest.mark.parametrize("sensor", [None, 2.0e4])
def test_the_torque_lies_on_three_lines(backlash: float, sensor: float | None) -> None:
    """Torque, energy and twist, with and without a gap and with a second spring in series."""
    d = record(backlash, sensor)[0]
    lines = tuple(k if sensor is None else k * sensor / (k + sensor) for k in K)
    for twist in np.linspace(-8e-3, 8e-3, 41):
        torque, stored, _, _ = torque_of(d, twist)
        assert torque == pytest.approx(by_hand(twist, backlash, lines), rel=1e-9, abs=1e-9)
        work = quad(by_hand, 0.0, twist, args=(backlash, lines), points=[0.0], limit=400, epsabs=1e-10)[0]
        assert stored == pytest.approx(work, rel=1e-5, abs=1e-7)
        if torque != 0.0:
            assert twist_of(d, torque) == pytest.approx(twist, rel=1e-12)


def test_a_step_across_kinks_keeps_the_energy() -> None:
    """Mean torque times way is the energy's difference, over kinks and the gap; its slope by differences."""
    d = record(GAP)[0]
    rng = np.random.default_rng(3)
    for before, after in rng.uniform(-5e-3, 5e-3, (200, 2)):
        mean, slope = mean_torque(d, before, after)
        work = torque_of(d, after)[1] - torque_of(d, before)[1]
        assert mean * (after - before) == pytest.approx(work, rel=1e-9, abs=1e-12)
        near = (mean_torque(d, before, after + 1e-7)[0] - mean_torque(d, before, after - 1e-7)[0]) / 2e-7
        assert slope == pytest.approx(near, rel=2e-3, abs=5.0)


def test_the_flanks_touch_for_the_share_of_the_way_outside_the_gap() -> None:
    """Inside, outside, half, right through."""
    d = record(GAP)[0]
    half = 0.5 * GAP
    for before, after, share in ((-half, half, 0.0), (half, 2 * half, 1.0), (0.0, 2 * half, 0.5),
                                 (-2 * half, 2 * half, 0.5)):  # fmt: skip
        assert touching(d, before, after) == pytest.approx(share, abs=1e-12)
    assert touching(record()[0], -half, half) == 1.0
