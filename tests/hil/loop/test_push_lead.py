"""The phase lead of a push: force times lead while the push grows, and nothing else."""

import numpy as np
import pytest

from hil.loop.driver.push_lead import GROWTH, add_to_come, grow

LEAD, STEP_NS = 0.004, 2_000_000
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
        add_to_come(out, self._growth[0], t_ns, self._lead)
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
