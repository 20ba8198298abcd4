"""The rules of slices: what a reader of the stream may rely on."""

import numpy as np

from hil.configuration.schema import Detector
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.slices import pushes
from tests.hil.wrench.pushed_wrench import DIRECTION, counter_swing, half_sine, noise, run, seconds, time_axis

LENGTH = 0.2


def stream(lasts: float = 0.35, detector: Detector | None = None) -> list[ImpulseSlice]:
    t = time_axis(3.0)
    true = 4.0 * DIRECTION
    wrench = half_sine(t, 1.5, lasts, true) + noise(t, 1)
    wrench += counter_swing(t, 1.5 + lasts, true * np.pi / (2 * lasts))
    return run(t, wrench, detector)


def test_slices_tile_the_push() -> None:
    """Slices are at most 100 ms long, each begins where the one before it ended, one `ended` is last."""
    slices = stream()
    newest = {piece.slice_index: piece for piece in slices}
    assert sorted(newest) == list(range(len(newest))) and len(newest) >= 3
    for index, piece in newest.items():
        assert piece.final
        assert 0 < piece.t_end_ns - piece.t_start_ns <= 102_000_000
        assert piece.t_start_ns <= piece.t_centroid_ns <= piece.t_end_ns
        if index:
            assert piece.t_start_ns == newest[index - 1].t_end_ns
        assert piece.ended == (index == len(newest) - 1)
    assert [piece.ended for piece in slices].count(True) == 1 and slices[-1].ended


def test_revisions_grow_and_finals_stay() -> None:
    """Revisions count up by one; nothing follows a final; each cycle of a push brings a revision."""
    slices = stream()
    for index in {piece.slice_index for piece in slices}:
        own = [piece for piece in slices if piece.slice_index == index]
        assert [piece.revision for piece in own] == list(range(len(own)))
        assert [piece.final for piece in own] == [False] * (len(own) - 1) + [True]
    inside = [piece for piece in slices if 1.55 < seconds(piece.t_ns) < 1.8 and not piece.final]
    assert len({piece.t_ns for piece in inside}) >= 124


def test_centroid_of_samples_so_far() -> None:
    """While a slice grows its centroid is that of the force seen until then: of a rising sine, exactly."""
    slices = [piece for piece in stream(lasts=0.8) if piece.slice_index == 0 and not piece.final]
    for piece in slices[len(slices) // 2 :]:
        u = np.linspace(0.0, seconds(piece.t_end_ns) - 1.5, 400)
        force = np.sin(np.pi * u / 0.8)
        expected = 1.5 + np.trapezoid(u * force, u) / np.trapezoid(force, u)
        assert abs(seconds(piece.t_centroid_ns) - expected) < 0.002


def test_the_paper_s_way_tells_once() -> None:
    """With report = "ended" one slice comes, when the push is over, with the sum of the slices."""
    growing = pushes(stream(), LENGTH)[0]
    whole = stream(detector=Detector(report="ended"))
    assert len(whole) == 1
    assert whole[0].slice_index == 0 and whole[0].final and whole[0].ended
    np.testing.assert_allclose(whole[0].impulse_object, growing.impulse_object, atol=1e-12)
    assert whole[0].t_centroid_ns == growing.t_centroid_ns
    assert abs(seconds(whole[0].t_centroid_ns) - 1.675) < 0.003
