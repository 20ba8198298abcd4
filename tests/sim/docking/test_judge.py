"""The judge on histories made by hand."""

import numpy as np
import pytest

from hil.configuration.docking import Outcome
from sim.docking.judge import History, Verdict
from sim.docking.judge import verdict as judged

RULES = Outcome()


def verdict(history: History, rules: Outcome, full_push: float) -> Verdict:
    """The judge's, out of reach below -0.12 m."""
    return judged(history, rules, full_push, -0.12)


def history(seconds: float = 5.0, step: float = 1e-3, **changes: object) -> History:
    """Four pins that rest on the face, without force, unless changed; scalars are spread over all samples."""
    time = np.arange(0.0, seconds, step)
    values: dict[str, object] = {
        "depth": 0.0, "insertion": 0.0, "tilt": 0.0, "speed": 0.0, "axial": 0.0, "force": 0.0,
        "torque": 0.0, "penetration": 0.0, "sealed": 0.0, "closed": 0.0, "parts_force": 0.0, "work": 0.0,
    } | changes  # fmt: skip
    for key, value in values.items():
        array = value(time) if callable(value) else np.full(len(time), value, float)
        values[key] = np.repeat(array[:, None], 4, axis=1) if key == "depth" and array.ndim == 1 else array
    return History(time, **values)  # type: ignore[arg-type]


def test_docked_after_one_second_under_the_full_push() -> None:
    """Deep, straight and still from 0.5 s on, the push whole at 2 s: docked at 3 s."""
    seen = history(depth=lambda t: np.where(t < 0.5, 0.5, 0.97), tilt=0.003)
    found = verdict(seen, RULES, full_push=2.0)
    assert found.word == "docked"
    assert found.time == pytest.approx(3.0, abs=2e-3)


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [("depth", 0.951, 0.949), ("tilt", np.radians(0.19), np.radians(0.21)), ("speed", 0.9e-3, 1.1e-3)],
)
def test_each_bound_of_docked_counts(key: str, good: float, bad: float) -> None:
    """On either side of each bound."""
    values = {"depth": 1.0, "tilt": 0.0, "speed": 0.0}
    assert verdict(history(**values | {key: good}), RULES, 0.0).word == "docked"
    assert verdict(history(**values | {key: bad}), RULES, 0.0).word == "under way"


@pytest.mark.parametrize(("sealed", "closed", "word"), [(1, 4, "docked"), (0, 4, "jammed"), (1, 3, "jammed")])
def test_seals_and_latches_count(sealed: int, closed: int, word: str) -> None:
    """Deep, straight and pressed, it is docked with all of them and jammed with one short."""
    seen = history(depth=1.0, axial=5.0, sealed=sealed, closed=closed)
    assert judged(seen, RULES, 0.0, -0.12, (1, 4)).word == word


def test_one_pin_of_four_is_not_enough() -> None:
    """The shallowest pin decides."""
    seen = history(depth=lambda t: np.tile([1.0, 1.0, 1.0, 0.9], (len(t), 1)))
    assert verdict(seen, RULES, 0.0).word == "under way"


def test_a_moment_of_speed_begins_the_second_anew() -> None:
    """Still but for one sample at 0.8 s: docked at 1.8 s."""
    seen = history(depth=1.0, speed=lambda t: np.where(np.abs(t - 0.8) < 5e-4, 0.01, 0.0))
    assert verdict(seen, RULES, 0.0).time == pytest.approx(1.8, abs=3e-3)


def test_jammed_by_force_without_advance() -> None:
    """Pressed with 3 N from 1 s on at half depth: jammed when a second and the mean's time are over."""
    seen = history(depth=0.5, insertion=0.02, axial=lambda t: np.where(t < 1.0, 0.0, 3.0))
    found = verdict(seen, RULES, 0.0)
    assert found.word == "jammed"
    assert 2.0 < found.time < 2.11


@pytest.mark.parametrize("speed, word", [(0.9e-4, "jammed"), (1.1e-4, "under way")])
def test_slow_insertion_is_no_jam(speed: float, word: str) -> None:
    """0.1 mm/s parts the two."""
    seen = history(depth=0.5, axial=3.0, insertion=lambda t: speed * t)
    assert verdict(seen, RULES, 0.0).word == word


def test_rocking_pins_are_no_jam() -> None:
    """They come and go by 0.3 mm twice a second: pressed, without advance on the whole, but not stuck."""
    seen = history(
        depth=0.96, tilt=0.01, axial=3.0, insertion=lambda t: 0.03 + 3e-4 * np.sin(4.0 * np.pi * t)
    )
    assert verdict(seen, RULES, 0.0).word == "under way"


def test_knocking_contacts_count_by_their_mean() -> None:
    """A tenth of the time 40 N, else nothing: 4 N in the mean is above 2 N; 1 N is not."""
    for peak, word in ((40.0, "jammed"), (10.0, "under way")):
        seen = history(depth=0.5, axial=lambda t, p=peak: np.where((t * 1e3).round() % 10 == 0, p, 0.0))
        assert verdict(seen, RULES, 0.0).word == word


def test_lost_by_distance_and_by_time() -> None:
    """Drifting away at 0.1 m/s passes 100 mm after a second; otherwise the time limit ends it."""
    assert verdict(history(insertion=lambda t: -0.02 - 0.1 * t), RULES, 0.0).word == "lost"
    late = Outcome(time_limit_s=3.0)
    found = verdict(history(), late, 0.0)
    assert (found.word, found.time) == ("lost", pytest.approx(3.0))
    assert verdict(history(2.0), late, 0.0).word == "under way"
