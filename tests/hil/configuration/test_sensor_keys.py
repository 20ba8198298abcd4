"""What `[sensor]` refuses, and what it leaves as it was."""

from pathlib import Path

import pytest

from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.sensor import sensor_in_words
from hil.configuration.wrench_stamp import wrench_stamp
from hil.loop.judging.real_arm import lacks

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
BOTA = ['sensor.kind="bota"', f'sensor.settings="{__file__}"']
CUBE, ARM = CONFIGS / "cube.toml", CONFIGS / "lwr_fri.toml"


@pytest.mark.parametrize(
    ("file", "settings", "words"),
    [
        (CUBE, ['sensor.kind="bota"'], "no real sensor hangs at an emulated arm"),
        (ARM, ['sensor.kind="bota"'], "sensor.settings is missing"),
        (ARM, ['sensor.kind="bota"', 'sensor.settings="none.json"', "sensor.rate_hz=500"], "none.json"),
        (ARM, [*BOTA, "sensor.rate_hz=2000"], "sensor.rate_hz = 2000 must be at most"),
        (CUBE, ['sensor.kind="netft"'], "no real sensor hangs at an emulated arm"),
        (ARM, ['sensor.kind="emulated"'], "nothing would be felt"),
        (CUBE, ['sensor.kind="emulated"', 'sensor.address="10.0.0.7"'], "an emulated sensor is at 127.0.0.1"),
        (CUBE, ['sensor.kind="emulated"', "sensor.stale_ms=5"], "must be at least 6"),
        (CUBE, ['sensor.kind="emulated"', "sensor.rate_hz=100"], "must be at least 30"),
        (CUBE, ["sensor.rate_hz=9000"], "sensor.rate_hz = 9000 must be at most 8000"),
        (CUBE, ['sensor.address="sensor.lab"'], "is a name; packets carry numbers"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(file: Path, settings: list[str], words: str) -> None:
    """With key, value and remedy."""
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(file, settings)
    assert words in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_where_the_estimate_counts_no_key_of_it_matters() -> None:
    """The stamp of a checked wrench stays; with a sensor it is another, and its place is part of it."""
    plain = wrench_stamp(load_configuration(ARM))
    assert wrench_stamp(load_configuration(ARM, ["sensor.position_mm=[1.0, 2.0, 3.0]"])) == plain
    sensed = wrench_stamp(load_configuration(ARM, ['sensor.kind="netft"']))
    moved = ['sensor.kind="netft"', "sensor.position_mm=[1.0, 2.0, 3.0]"]
    assert len({plain, sensed, wrench_stamp(load_configuration(ARM, moved))}) == 3
    assert sensor_in_words(load_configuration(ARM)) == ""
    assert "netft, 127.0.0.1 port 49152" in sensor_in_words(load_configuration(ARM, ['sensor.kind="netft"']))


def test_a_real_arm_needs_the_sensors_reading_written_down() -> None:
    """Sign, place, counts and overload have no default there; the estimate's sign and frame do not matter."""
    c = load_configuration(ARM, ['sensor.kind="netft"', "sensor.sign=1"])
    told = next(lack.what for lack in lacks(c, True) if lack.key == "wrench_reading")
    assert "sensor.force_counts_per_n" in told and "sensor.position_mm" in told
    assert "sensor.sign" not in told and "fri." not in told
