"""The bias found at rest: what it takes, and what it must not take."""

import numpy as np
import pytest

from hil.configuration.schema import Sensor
from hil.wrench.tare import Tare

BIAS = np.array([4.0, -3.0, 6.0, 0.1, -0.2, 0.05])
CYCLE, LENGTH = 0.002, 0.2
BLOCK = 250  # readings of a tare


class Rested:
    """A tare that is given noisy readings."""

    def __init__(self, **keys: float) -> None:
        self.tare = Tare(Sensor.model_validate(keys), CYCLE, LENGTH)
        self._rng = np.random.default_rng(3)

    def rest(self, mean: np.ndarray, count: int = BLOCK, noise: float = 0.02) -> None:
        for _ in range(count):
            self.tare.rest(mean + noise * np.array([1, 1, 1, 0.1, 0.1, 0.1]) * self._rng.standard_normal(6))


def test_a_block_at_rest_is_the_bias() -> None:
    """Not before its time; then the mean, within four standard errors."""
    rested = Rested()
    rested.rest(BIAS, BLOCK - 1)
    assert not rested.tare.tared and "being tared" in rested.tare.missing
    rested.rest(BIAS, 1)
    assert rested.tare.tared and rested.tare.missing == ""
    assert rested.tare.bias == pytest.approx(BIAS, abs=4 * 0.02 / np.sqrt(BLOCK))


def test_who_moves_begins_anew() -> None:
    """Almost a block, motion, almost a block: nothing."""
    rested = Rested()
    rested.rest(BIAS, BLOCK - 1)
    rested.tare.interrupt()
    rested.rest(BIAS, BLOCK - 1)
    assert not rested.tare.tared


def test_a_restless_reading_is_no_bias() -> None:
    """1 N of standard deviation, or torque that is as restless: told with its size."""
    rested = Rested()
    rested.rest(BIAS, noise=1.0)
    assert not rested.tare.tared
    assert "not at rest" in rested.tare.missing and "sensor.tare_quiet_n = 0.3" in rested.tare.missing


@pytest.mark.parametrize("leaning", [np.array([51.0, 0, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 0, -5.1])])
def test_what_is_no_bias_is_refused(leaning: np.ndarray) -> None:
    """Somebody leans on it, or the weight has the wrong sign: refused with both numbers, and never tared."""
    rested = Rested()
    for _ in range(5):
        rested.rest(leaning)
    assert not rested.tare.tared
    assert "beyond the mock-up's weight" in rested.tare.missing


def test_drift_is_followed_at_rest() -> None:
    """0.4 N a block is followed until one rest has drifted by 2 N in all; after a motion, again."""
    rested = Rested()
    rested.rest(BIAS)
    for step in range(1, 6):
        rested.rest(BIAS + 0.39 * step * np.eye(6)[0])
    assert rested.tare.bias[0] == pytest.approx(BIAS[0] + 1.95, abs=0.01)
    rested.rest(BIAS + 2.3 * np.eye(6)[0])
    assert rested.tare.bias[0] == pytest.approx(BIAS[0] + 1.95, abs=0.01)
    rested.tare.interrupt()
    rested.rest(BIAS + 2.3 * np.eye(6)[0])
    assert rested.tare.bias[0] == pytest.approx(BIAS[0] + 2.3, abs=0.01)


def test_a_weight_that_is_hung_shows() -> None:
    """14.7 N, or 1 N m: however long it hangs, the bias stays as it was, and it is told; and gone with it."""
    for load in (np.array([0, 0, -14.7, 0, 0, 0]), np.array([0, 0, 0, 1.0, 0, 0])):
        rested = Rested()
        rested.rest(BIAS)
        before = rested.tare.bias.copy()
        for _ in range(10):
            rested.rest(BIAS + load)
        assert (rested.tare.bias == before).all()
        assert "more than when it was tared" in rested.tare.loaded
        rested.rest(BIAS)
        assert rested.tare.loaded == ""


def test_a_sensor_that_began_anew_is_tared_anew() -> None:
    """Nothing of before counts."""
    rested = Rested()
    rested.rest(BIAS)
    rested.tare.forget()
    assert not rested.tare.tared and not rested.tare.bias.any()
    rested.rest(-BIAS)
    assert rested.tare.bias == pytest.approx(-BIAS, abs=0.01)
