"""A tool's sensor brought to the arm's clock: by its records' arrivals, and by what both have felt."""

from pathlib import Path

import numpy as np
import pytest

from drivers.sensor.rdt import SensorRecord
from hil.common.arrays import Array
from hil.common.errors import RecordingError
from hil.configuration.schema import Sensor
from hil.trials.validation.sensor_told import SensorTold
from hil.trials.validation.tool.keeper import RecordKeeper
from hil.trials.validation.tool.line import without_line
from hil.trials.validation.tool.offset import find_offset
from hil.trials.validation.tool.sensor_csv import read_sensor_csv, write_sensor_csv
from hil.trials.validation.tool.sensor_log import SensorLog

RATE = 1000.0
KEYS = Sensor.model_validate({"kind": "emulated", "rate_hz": RATE})
T = np.arange(0.0, 6.0, 0.01)


def course(t: Array) -> Array:
    """A press and a release, shape (n, 6)."""
    press = np.clip((t - 2.0) / 0.8, 0.0, 1.0) - np.clip((t - 4.0) / 0.5, 0.0, 1.0)
    return np.outer(press, [3.0, -2.0, 40.0, 0.5, -1.0, 0.1])


def records(ppm: float, seed: int, lose: float = 0.0) -> tuple[list[SensorRecord], Array]:
    """Twenty seconds of records, which come up to 3 ms late, and when they were measured [s]."""
    rng = np.random.default_rng(seed)
    t = 5.0 + np.arange(20_000) / RATE / (1.0 + 1e-6 * ppm)
    late = rng.exponential(0.0005, len(t)).clip(0.0, 0.003)
    arrivals = np.maximum.accumulate(t + late)
    kept = [k for k in range(len(t)) if rng.random() >= lose]
    made = [SensorRecord(round(1e9 * arrivals[k]), k, k, 0, (k, 0, 0, 0, 0, 0)) for k in kept]
    return made, t[kept]


@pytest.mark.parametrize("ppm", [-80.0, 0.0, 60.0])
def test_arrivals_tell_offset_and_drift(ppm: float) -> None:
    """Each record's instant to a tenth of a millisecond, though they come up to 3 ms late."""
    made, truth = records(ppm, seed=3, lose=0.01)
    keeper = RecordKeeper(KEYS)
    keeper.take(made)
    log = keeper.log(zero_ns=4_000_000_000)
    np.testing.assert_allclose(log.t, truth - 4.0, atol=1e-4)
    assert log.told.offset_s == pytest.approx(truth[0] - 4.0, abs=1e-4)
    assert log.told.drift_ppm == pytest.approx(-ppm, abs=5.0)
    assert log.told.records == len(made) and log.told.lost == made[-1].sequence + 1 - len(made) > 100


def test_records_that_come_twice_or_late_count_once() -> None:
    """What newer ones have overtaken is not used, and its loss stays told."""
    made, _ = records(0.0, seed=1)
    keeper = RecordKeeper(KEYS)
    keeper.take([*made[:500], made[499], *made[501:600], made[500], *made[600:]])
    assert len(keeper) == len(made) - 1 and keeper.log(0).told.lost == 1


def test_readings_are_at_the_arms_instants() -> None:
    """A line in time is read without any lateness; a reading has less noise than a record; a gap has none."""
    t = np.arange(0.0, 4.0, 1.0 / RATE)
    rng = np.random.default_rng(2)
    clean = np.outer(3.0 + 50.0 * t, np.ones(6))
    log = SensorLog(t, clean, 1.0 / RATE, SensorTold(len(t), 0, 0, 0.0))
    times = np.arange(0.503, 3.5, 0.01)
    np.testing.assert_allclose(log.at(times), np.outer(3.0 + 50.0 * times, np.ones(6)), atol=1e-9)
    noisy = SensorLog(t, rng.normal(0.0, 1.0, (len(t), 6)), 1.0 / RATE, log.told)
    assert noisy.at(times).std() < 0.55  # a line through five or six: 1 / sqrt(5)
    away = (t > 1.2) & (t < 1.25)
    gap = SensorLog(t[~away], clean[~away], 1.0 / RATE, log.told).at(times)
    missing = np.isnan(gap[:, 0])
    assert np.all(missing == np.isnan(gap[:, 5]))
    assert set(np.round(times[missing], 3)) == {x for x in np.round(times, 3) if 1.2 < x < 1.25}


def felt(offset: float, seed: int, noise: float = 0.1) -> tuple[Array, Array, Array, Array, SensorLog]:
    """An arm with friction that feels a course, and a sensor whose times are `offset` too early."""
    rng = np.random.default_rng(seed)
    J = np.tile(rng.normal(0.0, 0.4, (6, 7)), (len(T), 1, 1))
    q = np.outer(np.sin(1.3 * T), rng.normal(0.0, 0.1, 7))
    speed = np.gradient(q, T, axis=0)
    tau = np.einsum("nij,ni->nj", J, course(T)) + 0.4 * np.sign(speed) + 1.5 * speed + 0.3 + 0.02 * T[:, None]
    tau += rng.normal(0.0, noise, tau.shape)
    t = np.arange(-3.0, 9.0, 1.0 / RATE)
    wrench = course(t) + 5.0 + rng.normal(0.0, 0.05, (len(t), 6))
    return T, q, tau, J, SensorLog(t - offset, wrench, 1.0 / RATE, SensorTold(len(t), 0, 0, 0.0))


def test_both_courses_tell_the_offset() -> None:
    """In spite of friction, bias and drift, for 12 offsets: errors are as large as told, and below 3 ms."""
    scores = []
    for seed in range(12):
        truth = float(np.random.default_rng(100 + seed).uniform(-1.2, 1.2))
        found, error = find_offset(*felt(truth, seed), reach=2.0)
        assert found == pytest.approx(truth, abs=0.003)
        scores.append((found - truth) / error)
    assert np.sqrt(np.mean(np.square(scores))) < 3.0


def test_what_was_not_felt_tells_no_offset() -> None:
    """A run without any touch, one with the wrong sign, and one out of reach are refused in words."""
    t, q, tau, J, sensor = felt(0.2, 1)
    with pytest.raises(RecordingError, match="do not tell how their clocks lie"):
        free = SensorLog(sensor.t, np.zeros_like(sensor.wrench), sensor.period, sensor.told)
        find_offset(t, q, tau, J, free, reach=1.0)
    with pytest.raises(RecordingError, match="or sign, axes or place of"):
        turned = SensorLog(sensor.t, -sensor.wrench, sensor.period, sensor.told)
        find_offset(t, q, tau, J, turned, reach=1.0)
    with pytest.raises(RecordingError, match="no record lies within"):
        find_offset(t, q, tau, J, sensor.shifted(100.0), reach=1.0)


def test_a_line_is_bias_and_drift() -> None:
    """It goes, whatever it is; what is no line stays but for its own line; rows without reading tell zero."""
    rng = np.random.default_rng(4)
    line = 3.0 - 0.2 * T[:, None] + np.zeros((1, 6))
    values = line + rng.normal(0.0, 0.1, (len(T), 6))
    values[100:120] = np.nan
    left = without_line(T, values)
    assert np.all(left[100:120] == 0.0) and left.std() == pytest.approx(0.1, rel=0.05)
    known = np.isfinite(values[:, 0])
    assert abs(left[known].sum(axis=0)).max() < 1e-8 and abs(T[known] @ left[known]).max() < 1e-8


def test_a_sensors_file_is_read_as_written(tmp_path: Path) -> None:
    """Times and readings to nine digits, the losses by the gaps; mistakes are told with their line."""
    made, _ = records(0.0, seed=5, lose=0.02)
    keeper = RecordKeeper(KEYS)
    keeper.take(made[:2000])
    log, path = keeper.log(0), tmp_path / "sensor.csv"
    write_sensor_csv(path, log)
    read = read_sensor_csv(path, RATE)
    np.testing.assert_allclose(read.t, log.t, rtol=1e-8)
    np.testing.assert_allclose(read.wrench, log.wrench, rtol=1e-8)
    assert read.told.lost == log.told.lost and read.told.records == log.told.records
    with pytest.raises(RecordingError, match=r"sensor\.rate_hz = 500"):
        read_sensor_csv(path, 500.0)
    lines = path.read_text().splitlines()
    for broken, words in (
        ([lines[0].replace("fz_n", "force"), *lines[1:]], "fz_n missing"),
        ([*lines[:5], lines[4], *lines[5:]], "line 6: t_s"),
        ([*lines[:5], lines[5].replace(",0,", ",x,", 1), *lines[6:]], "line 6: fy_n = 'x'"),
        (lines[:4], "at least 10 are needed"),
    ):
        path.write_text("\n".join(broken) + "\n")
        with pytest.raises(RecordingError, match=words):
            read_sensor_csv(path, RATE)
