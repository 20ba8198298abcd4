"""The phase lead of a push: force times lead while the push grows, and nothing else."""

import numpy as np
import pytest

from hil.loop.driver.push_lead import GROWTH, add_to_come, grow

LEAD, STEP_NS = 0.004, 2_000_000
MASSES = np.array([60.0] * 3 + [3.0] * 3)
FORCE = np.array([30.0, -10.0, 5.0, 1.0, -2.0, 0.5])


class PushLead:
    """The kernels with their memory."""

    def __init__(self, lead):
        self._lead, self._growth = lead, np.zeros(1, GROWTH)
        self._growth["impulse_id"] = -1

    def add(self, t_ns, impulse, impulse_id=1, slice_index=0, ended=False):
        """Take a report."""
        grow(self._growth[0], impulse_id, slice_index, ended, t_ns, impulse)

    def ahead(self, t_ns):
        """Return what is to come."""
        out = np.zeros(6)
        add_to_come(out, self._growth[0], t_ns, self._lead, MASSES)
        return out


def test_a_constant_force_is_led_by_force_times_lead_and_nothing_after_its_end() -> None:
    """30 N and 4 ms are 0.12 N s ahead, whatever the first report brought at once; after the end none."""
    lead = PushLead(LEAD)
    assert not lead.ahead(0).any()
    for k in range(20):
        lead.add(k * STEP_NS, FORCE * (0.007 + k * 0.002))
        if k:
            np.testing.assert_allclose(lead.ahead(k * STEP_NS), LEAD * FORCE, rtol=1e-9)
    assert not lead.ahead(19 * STEP_NS + 4_000_000).any(), "no report for 4 ms: the push no longer grows"
    lead.add(20 * STEP_NS, FORCE * 0.045, ended=True)
    assert not lead.ahead(20 * STEP_NS).any()


def test_a_half_sine_is_led_by_its_slope_and_not_beyond_its_end() -> None:
    """What is ahead is the force to come, within the next order; where it has nearly ended, nearly none.

    The windows h of the two mean forces lie h/2 and 3h/2 back: of the force's curvature F'' they miss
    h^2/3 in the force and h in the slope, and the line itself misses L^2/6.
    """
    duration, lead_s, window, t = 0.1, 0.008, 0.004, 0.0
    w = np.pi / duration

    def impulse(t):
        return FORCE * (1.0 - np.cos(w * min(t, duration))) / w

    lead, size = PushLead(lead_s), impulse(duration)[0]
    for k in range(1, 50):
        t = k * 1e-9 * STEP_NS
        lead.add(k * STEP_NS, impulse(t))
        if k > 5:
            ahead, to_come = lead.ahead(k * STEP_NS), impulse(t + lead_s) - impulse(t)
            missed = w**2 * lead_s * (window**2 / 3.0 + window * lead_s / 2.0 + lead_s**2 / 6.0)
            np.testing.assert_allclose(ahead[0], to_come[0], atol=FORCE[0] * missed)
            assert ahead[0] >= 0.0
    assert ahead[0] < 0.01 * size, "the force has nearly ended: F L would be twice of what comes"


def test_a_torque_alone_is_led_as_a_force_is() -> None:
    """Force and torque weigh by what they move: noise in the force does not cut the lead of a torque."""
    lead, torque = PushLead(LEAD), np.array([0.0, 0.0, 0.0, 0.0, 0.0, 2.0])
    noise = 0.01 * np.random.default_rng(1).standard_normal((20, 6)) * [1, 1, 1, 0, 0, 0]
    total = np.zeros(6)
    for k in range(20):
        total = total + 0.002 * (torque + noise[k])
        lead.add(k * STEP_NS, total)
        if k > 5:
            assert lead.ahead(k * STEP_NS)[5] == pytest.approx(LEAD * 2.0, rel=1e-3)


def test_a_push_in_slices_grows_by_all_of_them() -> None:
    """The slice before is revised once more when the next begins, in the same cycle or later."""
    lead, t = PushLead(LEAD), 0
    for k in range(30):
        index, part = divmod(k, 6)
        t = k * STEP_NS
        if part == 0 and index:
            lead.add(t, FORCE * 0.002 * 6 + 1e-9, slice_index=index - 1)
        lead.add(t, FORCE * 0.002 * part + 1e-9, slice_index=index)  # zeros would take it back
        if k > 3:
            np.testing.assert_allclose(lead.ahead(t), LEAD * FORCE, rtol=1e-5)


def test_another_push_begins_anew() -> None:
    """The jump from one push to the next is no force."""
    lead = PushLead(LEAD)
    for k in range(10):
        lead.add(k * STEP_NS, FORCE * 0.002 * k + 1e-9)
    lead.add(10 * STEP_NS, -FORCE, impulse_id=2)
    assert not lead.ahead(10 * STEP_NS).any()


@pytest.mark.parametrize("lead_s", [0.0, LEAD])
def test_a_push_taken_back_leaves_nothing(lead_s: float) -> None:
    """Zeros are the detector's word for a push that was none; a lead of 0 leads nothing."""
    lead = PushLead(lead_s)
    for k in range(1, 6):
        lead.add(k * STEP_NS, FORCE * 0.002 * k)
    assert lead.ahead(5 * STEP_NS).any() == (lead_s > 0.0)
    lead.add(6 * STEP_NS, np.zeros(6))
    assert not lead.ahead(6 * STEP_NS).any()


def test_a_correction_in_the_same_cycle_is_no_report_of_its_own() -> None:
    """Two slices are revised in each cycle of 1 ms: a rising force is led by its slope all the same."""
    lead, rise = PushLead(LEAD), FORCE / 0.02

    def impulse(t):
        return 0.5 * rise * t**2

    for k in range(1, 20):
        t_ns, corrected = k * 1_000_000, (-1.0) ** k * FORCE
        lead.add(t_ns, corrected, slice_index=0)
        lead.add(t_ns, impulse(0.001 * k) - corrected, slice_index=1)
        if k > 8:
            to_come = impulse(0.001 * k + LEAD) - impulse(0.001 * k)
            np.testing.assert_allclose(lead.ahead(t_ns), to_come, rtol=1e-6)
