"""The page's hand comes to rest when it says nothing more; what is watched comes through, and no more."""

import numpy as np
import pytest

from hil.workbench.page.jog import SILENT_S, PageJog
from hil.workbench.page.watch import KEPT, MOST, SAMPLED_S, TOLD_S, Watch


def test_a_jog_moves_while_it_is_said_and_rests_when_it_is_not() -> None:
    """Deflections by the speeds, cut at one; after the silence nothing moves, whatever was said last."""
    jog = PageJog(0.2, 0.5)
    assert not jog.twist(0.0).any()
    jog.push([1.0, 0.0, -2.0, 0.0, 0.5, 0.0], 1.0)
    np.testing.assert_allclose(jog.twist(1.0 + SILENT_S), [0.2, 0.0, -0.2, 0.0, 0.25, 0.0])
    assert not jog.twist(1.0 + SILENT_S + 1e-6).any()
    jog.speeds(0.1, 1.0)
    jog.push([1, 0, 0, 0, 0, 1], 2.0)
    np.testing.assert_allclose(jog.twist(2.0), [0.1, 0, 0, 0, 0, 1.0])
    jog.release()
    assert not jog.twist(0.0).any(), "another source was taken meanwhile, and time begins anew"


@pytest.mark.parametrize("wrong", [[1.0] * 5, [float("nan")] + [0.0] * 5, "abcdef", None, [[0.0] * 6]])
def test_what_is_no_jog_is_refused_and_moves_nothing(wrong: object) -> None:
    jog = PageJog(0.2, 0.5)
    with pytest.raises((ValueError, TypeError)):
        jog.push(wrong, 0.0)
    assert not jog.twist(0.0).any()


def test_watched_values_come_at_their_times() -> None:
    """A sample each period with its own values, all values now and then; nothing twice."""
    watch, t = Watch(), [0.0]
    seen = {"a": 0.0, "b": 1.0, "c": 2.0}
    watch.choose(["b", "a", "nothing", "b"], seen)
    for k in range(101):
        t[0] = 0.004 * k
        watch.take(t[0], lambda: {name: value + t[0] for name, value in seen.items()})
    told = watch.drain()
    times = [row[0] for row in told["samples"]]
    assert told["names"] == ["b", "a"] and np.allclose(np.diff(times), SAMPLED_S)
    assert all(row == [row[0], 1.0 + row[0], row[0]] for row in told["samples"])
    assert told["values"]["c"] == pytest.approx(2.0 + 0.4 // TOLD_S * TOLD_S, abs=0.16)
    assert watch.drain() == {"names": ["b", "a"], "samples": [], "values": None}


def test_nobody_who_looks_costs_no_memory() -> None:
    """Samples that nobody takes are not kept for ever; not more curves than can be drawn."""
    watch = Watch()
    many = {f"v{k}": 0.0 for k in range(100)}
    watch.choose(list(many), many)
    for k in range(5 * KEPT):
        watch.take(SAMPLED_S * k, lambda: many)
    told = watch.drain()
    assert len(told["names"]) == MOST and len(told["samples"]) == KEPT
    assert told["samples"][-1][0] == pytest.approx(SAMPLED_S * (5 * KEPT - 1))
