"""The force side of an admittance law on wrenches whose filtered, banded impulse is known in closed form."""

import math

import numpy as np
import pytest

from hil.configuration.admittance import Admittance
from hil.wrench.admittance import AdmittanceForce
from hil.wrench.detector.push_report import PushReport

DT = 0.002
LENGTH = 0.2
OFFSET = np.array([1.0, -2.0, 0.5, 0.1, 0.0, -0.2])


def law(filter_s: float = 0.0, force: float = 0.0, torque: float = 0.0) -> AdmittanceForce:
    setting = Admittance.model_construct(
        damping=0.0, spin_damping=0.0, filter=filter_s, dead_band_force=force, dead_band_torque=torque
    )
    made = AdmittanceForce(setting, LENGTH, DT)
    for k in range(500):  # a second at rest: ten times the offset's time constant
        assert made.take(k * 2_000_000, OFFSET) is None
    made.restart()
    return made


def told(made: AdmittanceForce, wrench: np.ndarray, seconds: float) -> list[PushReport]:
    reports = [made.take((500 + k) * 2_000_000, OFFSET + wrench) for k in range(round(seconds / DT))]
    return [report for report in reports if report is not None]


def impulse(reports: list[PushReport]) -> np.ndarray:
    return np.sum([item.impulse_object for report in reports for item in report.messages()], axis=0)


def test_before_floating_nothing_acts_and_the_offset_is_no_force() -> None:
    """What the sensor shows at rest is taken off; a wrench that stays there moves nothing."""
    assert told(law(), np.zeros(6), 1.0) == []


def test_all_of_a_wrench_acts_without_filter_and_band() -> None:
    """Impulse is force times time, every axis; slices are 10 ms long, each told once, centred."""
    wrench = np.array([3.0, -1.0, 2.0, 0.4, 0.1, -0.3])
    reports = told(law(), wrench, 0.4)
    assert impulse(reports) == pytest.approx(0.4 * wrench, rel=1e-3)
    items = [item for report in reports for item in report.messages()]
    assert len(items) == 40 and len({item.impulse_id for item in items}) == 40
    for item in items:
        assert (item.slice_index, item.revision, item.final, item.ended) == (0, 0, True, True)
        assert item.t_end_ns == item.t_ns and item.t_end_ns - item.t_start_ns == 10_000_000
        assert item.t_centroid_ns == (item.t_start_ns + item.t_end_ns) // 2


def test_the_low_pass_is_the_exponential() -> None:
    """A step F after T: the impulse is F (T - tau (1 - exp(-T / tau))), up to the sampling."""
    tau, seconds, force = 0.05, 0.2, 10.0
    got = impulse(told(law(tau), np.array([force, 0, 0, 0, 0, 0]), seconds))[0]
    expected = force * (seconds - tau * -math.expm1(-seconds / tau))
    assert got == pytest.approx(expected, abs=force * DT)
    assert got < force * seconds - 0.8 * force * tau  # without the filter it would be all


def test_dead_bands_shorten_the_vector_and_keep_its_direction() -> None:
    """5 N along (3, 4) less a band of 2 N acts with 3 N; 0.1 N m within its band of 0.2 not at all."""
    made = law(force=2.0, torque=0.2)
    got = impulse(told(made, np.array([3.0, 4.0, 0.0, 0.1, 0.0, 0.0]), 1.0))
    assert got == pytest.approx([1.8, 2.4, 0.0, 0.0, 0.0, 0.0], rel=1e-3)
    assert not made.quiet
    assert told(made, np.array([1.0, 1.0, 0.0, 0.0, 0.15, 0.0]), 0.5) == [] and made.quiet


def test_what_is_no_number_is_no_force() -> None:
    """A sample that is not finite is left out, and the law goes on."""
    made = law()
    assert made.take(10**9, np.full(6, np.nan)) is None
    assert np.isfinite(impulse(told(made, np.ones(6), 0.1))).all()


def test_a_slice_never_spans_a_gap() -> None:
    """Three samples before a gap are dropped: the next slice is whole again."""
    made = law()
    for k in range(3):
        assert made.take((500 + k) * 2_000_000, OFFSET + 1.0) is None
    made.mark_gap(0)
    reports = [made.take((900 + k) * 2_000_000, OFFSET + 1.0) for k in range(5)]
    assert [report is None for report in reports] == [True] * 4 + [False]
