"""A live run on a force sensor that speaks its wire on loopback: it is lost in flight, and comes back."""

import time
from collections.abc import Iterator
from socket import SOCK_DGRAM

import pytest

from bench.live_run import LiveRun
from hil.common.free_port import free_port

TOLD_S = 1.0  # the driver says five times a second what is missing
LOST_S = 8.0  # long enough to brake, stand and be asked on a busy machine


@pytest.fixture(scope="module")
def sensed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    """A run that has floated on a sensor."""
    port = free_port(SOCK_DGRAM)
    table = f'[sensor]\nkind = "emulated"\nrate_hz = 1750.0\nstale_ms = 100.0\nport = {port}\n\n[stops]'
    made = LiveRun(tmp_path_factory.mktemp("sensed") / "r", patient=True, **{r"\[stops\]": table})
    try:
        made.wait_floating()
        yield made
    finally:
        made.close()


def test_a_sensor_that_is_lost_in_flight_ends_it_until_it_is_tared_again(sensed: LiveRun) -> None:
    """FAULT with its place; a reset helps when it is back, and not before; it floats on, no limit broken."""
    status = sensed.status()
    assert status["sensor"] == "well" and len(status["sensor_bias"]) == 6
    assert sensed.ask("disturb", wrench="silent", seconds=LOST_S).accepted
    sensed.wait_state("FAULT")
    assert "has sent nothing for" in sensed.status()["reason"]
    sensed.wait(sensed.stands)
    sensed.wait(lambda: sensed.status()["sensor"] != "well")
    time.sleep(TOLD_S)
    assert sensed.ask("reset").accepted  # while the cause is there it comes to nothing
    assert not sensed.ask("float").accepted
    sensed.wait(lambda: sensed.status()["sensor"] == "well")
    sensed.wait_state("FAULT")
    assert sensed.ask("reset").accepted
    sensed.wait_state("READY")
    time.sleep(TOLD_S)  # the driver has heard of it and forgotten its fault
    assert sensed.ask("float").accepted
    sensed.wait_state("FLOATING")
    assert sensed.take_violations()[0] == 0


def test_a_monitor_of_the_sensors_own_is_a_warning(sensed: LiveRun) -> None:
    """Told in the status; the object floats on."""
    sensed.float_again()
    assert sensed.ask("disturb", wrench="latched", seconds=1.0).accepted
    sensed.wait(lambda: "monitor condition" in sensed.status()["warning"])
    assert sensed.status()["state"] == "FLOATING"
