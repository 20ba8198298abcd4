"""The phase lead of a push: force times lead while the push grows, and nothing else."""

import numpy as np
import pytest

from hil.messages import ImpulseSlice
from hil.push_lead import PushLead

LEAD, STEP_NS = 0.004, 2_000_000
FORCE = np.array([30.0, -10.0, 5.0, 1.0, -2.0, 0.5])


def report(t_ns, impulse, impulse_id=1, slice_index=0, revision=0, ended=False):
    return ImpulseSlice(
        t_ns, impulse_id, slice_index, revision, ended, ended, False, False, 0, t_ns, t_ns // 2, impulse
    )


def test_a_constant_force_is_led_by_force_times_lead_and_nothing_after_its_end() -> None:
    """30 N and 4 ms are 0.12 N s ahead, whatever the first report brought at once; after the end none."""
    lead = PushLead(LEAD)
    assert lead.ahead(0) is None
    for k in range(20):
        lead.add(report(k * STEP_NS, FORCE * (0.007 + k * 0.002), revision=k))
        if k:
            np.testing.assert_allclose(lead.ahead(k * STEP_NS), LEAD * FORCE, rtol=1e-9)
    assert lead.ahead(19 * STEP_NS + 4_000_000) is None, "no report for 4 ms: the push no longer grows"
    lead.add(report(20 * STEP_NS, FORCE * 0.045, revision=20, ended=True))
    assert lead.ahead(20 * STEP_NS) is None


def test_another_push_begins_anew() -> None:
    """The jump from one push to the next is no force."""
    lead = PushLead(LEAD)
    for k in range(10):
        lead.add(report(k * STEP_NS, FORCE * 0.002 * k + 1e-9, revision=k))
    lead.add(report(10 * STEP_NS, -FORCE, impulse_id=2))
    assert lead.ahead(10 * STEP_NS) is None


@pytest.mark.parametrize("lead_s", [0.0, LEAD])
def test_a_push_taken_back_leaves_nothing(lead_s: float) -> None:
    """Zeros are the detector's word for a push that was none; a lead of 0 leads nothing."""
    lead = PushLead(lead_s)
    for k in range(1, 6):
        lead.add(report(k * STEP_NS, FORCE * 0.002 * k, revision=k))
    assert (lead.ahead(5 * STEP_NS) is None) == (lead_s == 0.0)
    lead.add(report(6 * STEP_NS, np.zeros(6), revision=6))
    assert lead.ahead(6 * STEP_NS) is None
