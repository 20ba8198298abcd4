"""What a plan lacks of the pushes: against sums formed anew from all that was reported."""

import dataclasses

import numpy as np
import pytest

from hil.loop.driver.live_slices import LAG_NS, LiveSlices
from hil.loop.driver.live_slices_kernel import REVISIONS, SLICES
from hil.messaging.messages import ImpulseSlice, Plan
from hil.wrench.detector.push_report import PushReport

MS = 1_000_000
MASS, INERTIA = 12.0, np.array([0.3, 0.4, 0.5])
TIMEOUT, ORIGIN_NS, LENGTH = 0.3, 12_345, 0.2
PLAN = Plan(
    0, 0, 0, 0.0, 0.1, np.array([0.0, 0.0, 1.0, 1.0]), np.zeros((2, 7)), np.zeros((2, 7)), np.zeros((2, 7)),
    np.zeros(2), 0, np.zeros((0, 3), np.int64), "RUN", "", 1.0, 1.0,
)  # fmt: skip


def report(key, revision, impulse, t_ns, final=False):
    return ImpulseSlice(
        t_ns, *key, revision, final, final, False, False, 0, t_ns, t_ns // 2, impulse, np.zeros(6)
    )


def plan(*rows):
    return dataclasses.replace(PLAN, slices=np.array(rows, np.int64).reshape(-1, 3))


class Book(LiveSlices):
    """The books, told by messages."""

    def __init__(self, push_lead=0.0):
        super().__init__(MASS, INERTIA, TIMEOUT, push_lead)

    def add(self, item):
        super().add(PushReport.of(item, ORIGIN_NS, LENGTH))


def lacking(reports, contained, at_ns):
    """The newest revision of every slice less the contained one, and both times the time since."""
    newest = {(item.impulse_id, item.slice_index): item for item in reports}
    known = {(a, b): r for a, b, r in contained}
    out = np.zeros((3, 6))
    for key, item in newest.items():
        held = [old for old in reports if (old.impulse_id, old.slice_index) == key]
        for one, sign in [(item, 1.0), *((old, -1.0) for old in held if old.revision == known.get(key))]:
            out[0] += sign * one.impulse_object
            out[1] += sign * one.impulse_object * 1e-9 * (at_ns - one.t_centroid_ns)
    return out / np.concatenate((np.full(3, MASS), INERTIA))


def test_what_is_missing_is_the_newest_less_what_the_plan_contains() -> None:
    """Three pushes of two slices, revised by turns; plans contain older revisions of some of them."""
    rng = np.random.default_rng(4)
    live, reports, contained = Book(), [], []
    revisions = {(a, b): 0 for a in (1, 2, 3) for b in (0, 1)}
    for t_ns in range(MS, 120 * MS, MS):
        key = list(revisions)[rng.integers(len(revisions))]
        item = report(key, revisions[key], rng.normal(size=6), t_ns)
        revisions[key] += 1
        reports.append(item)
        live.add(item)
        if t_ns % (7 * MS) == 0:
            told = [(key, n) for key, n in revisions.items() if n and rng.random() < 0.7]
            contained = [(*key, int(rng.integers(n))) for key, n in told]
            live.arrived(t_ns, plan(*contained))
        found = live.missing(t_ns, t_ns + 5 * MS)
        np.testing.assert_allclose(found, lacking(reports, contained, t_ns + 5 * MS), rtol=1e-9, atol=1e-12)


def test_a_push_that_the_plan_contains_for_good_leaves_nothing() -> None:
    """Until then its impulse over the masses is."""
    live, impulse = Book(), np.arange(1.0, 7.0)
    assert live.missing(0, 0) is None
    live.add(report((1, 0), 0, impulse, MS, final=True))
    missing = live.missing(MS, MS // 2)
    np.testing.assert_allclose(missing[0], impulse / np.concatenate((np.full(3, MASS), INERTIA)))
    assert not missing[1].any(), "at its centroid a slice has moved nothing yet"
    live.arrived(2 * MS, plan((1, 0, 0)))
    assert live.missing(2 * MS, 2 * MS) is None
    live.arrived(3 * MS, plan())
    assert live.missing(3 * MS, 3 * MS) is None, "forgotten, whatever a later plan says"


def test_each_revision_is_timed_once_round_the_ring() -> None:
    """From its report to the first plan that contains it."""
    live = Book()
    for revision in range(3):
        live.add(report((1, 0), revision, np.ones(6), (1 + revision) * MS))
    assert live.arrived(11 * MS, plan((1, 0, 1), (9, 9, 9))) == pytest.approx([0.009])
    assert live.arrived(12 * MS, plan((1, 0, 1))) == []
    live.clear()
    live.add(report((1, 0), 0, np.ones(6), 20 * MS))
    assert live.arrived(24 * MS, plan((1, 0, 0))) == pytest.approx([0.004])


def test_a_push_that_no_plan_will_contain_is_forgotten() -> None:
    """The simulation has refused it, if no plan that may still be followed contains it."""
    live = Book()
    live.add(report((1, 0), 0, np.ones(6), MS))
    last = MS + round(TIMEOUT * 1e9) + LAG_NS
    assert live.missing(last, last) is not None
    assert live.missing(last + 1, last + 1) is None


def test_a_crowd_of_slices_drops_the_one_that_ended_first() -> None:
    """The books are finite."""
    live, reports = Book(), []
    for n in range(SLICES + 1):
        reports.append(report((n, 0), 0, np.full(6, 1.0 + n), (1 + n) * MS))
        live.add(reports[-1])
    np.testing.assert_allclose(live.missing(40 * MS, 40 * MS), lacking(reports[1:], [], 40 * MS))


def test_a_revision_that_was_never_reported_is_in_no_plan() -> None:
    """A plan that names one, above or below those that were, counts as one without the slice."""
    for revision in (1, 7, REVISIONS, -1):
        live, impulse = Book(), np.arange(1.0, 7.0)
        live.add(report((1, 0), 0, impulse, MS))
        assert live.arrived(2 * MS, plan((1, 0, revision))) == []
        missing = live.missing(2 * MS, 2 * MS)
        np.testing.assert_allclose(missing[0], impulse / np.concatenate((np.full(3, MASS), INERTIA)))


def test_what_was_forgotten_with_a_floating_stays_forgotten() -> None:
    """Three slices, all forgotten at once: the next push is alone."""
    live = Book()
    for number in range(3):
        live.add(report((number, 0), 0, np.full(6, 5.0), (1 + number) * MS))
    live.clear()
    assert live.missing(4 * MS, 4 * MS) is None
    last = report((9, 0), 0, np.ones(6), 5 * MS)
    live.add(last)
    np.testing.assert_allclose(live.missing(6 * MS, 6 * MS), lacking([last], [], 6 * MS))
