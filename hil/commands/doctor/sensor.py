"""The way to a force sensor: its address, its page of settings, its records."""

import time
import urllib.error
import urllib.request
from collections.abc import Iterator

from drivers.fri.bound_socket import bound_socket
from drivers.sensor.clients import client_of
from drivers.sensor.page import PAGE, DeviceSettings, read_page
from drivers.sensor.rdt import SensorRecord
from drivers.sensor.status import MONITOR, family_of, status_in_words
from drivers.sensor.watch import place_of
from hil.commands.doctor.finding import FAIL, OK, WARN, Finding, Look
from hil.common.errors import BadMessage, LinkError
from hil.configuration import Configuration
from hil.configuration.schema import Sensor
from hil.configuration.sensor import has_own_sensor

PAGE_TIMEOUT_S = 1.0
LISTEN_S = 0.5
AGREES = 1e-3  # by which counts may differ; a rate ten times as much


def sensor_looks(c: Configuration, running: bool) -> Iterator[tuple[str, Look]]:
    """Yield all looks at a configuration's force sensor; `running`: a run of ours has its stream."""
    if not has_own_sensor(c):
        return
    if c.sensor.kind == "emulated":
        yield "force sensor", lambda: own_port(c.sensor, running)
        return
    if c.sensor.kind == "netft":
        yield "sensor page", lambda: page(c.sensor)
    yield "force sensor", lambda: stream(c.sensor, running)


def own_port(sensor: Sensor, running: bool) -> Finding:
    """Can the emulated sensor have its port?"""
    place = f"UDP {sensor.address} port {sensor.port}"
    if running:
        return Finding("force sensor", OK, f"{place}: the running daemon has it")
    try:
        bound_socket(sensor.address, sensor.port, "sensor.address", "sensor.port").close()
    except LinkError as error:
        return Finding("force sensor", FAIL, str(error))
    return Finding("force sensor", OK, f"emulated, {place} is free")


def page(sensor: Sensor, port: int = 80) -> Finding:
    """Does the sensor's page say what the configuration says? `port`: of its HTTP."""
    address = f"http://{sensor.address}:{port}{PAGE}"
    try:
        with urllib.request.urlopen(address, timeout=PAGE_TIMEOUT_S) as answer:
            said = read_page(answer.read(1 << 20).decode(errors="replace"))
    except (OSError, urllib.error.URLError) as error:
        reason = getattr(error, "reason", error)
        return Finding("sensor page", WARN, f"{address} cannot be read ({reason})",
                       "look at supply, cable and sensor.address; the counts are not verified")  # fmt: skip
    except BadMessage as error:
        return Finding("sensor page", WARN, str(error), "compare the counts by hand")
    wrong = list(_differences(sensor, said))
    if wrong:
        return Finding("sensor page", FAIL, "; ".join(wrong), "set the keys, or the sensor's page")
    return Finding("sensor page", OK, "counts and rate are those of the configuration")


def stream(sensor: Sensor, running: bool) -> Finding:
    """Does it send, and is it well?"""
    name, place = "force sensor", place_of(sensor)
    if running:
        return Finding(name, OK, f"{place}: the running daemon has its stream")
    try:
        records = _heard(sensor)
    except LinkError as error:
        return Finding(name, FAIL, str(error))
    if not records:
        remedy = "look at supply, cable, sensor.address and firewall; one client at a time has the stream"
        return Finding(name, FAIL, f"{place} sends nothing", remedy)
    rate = len(records) / LISTEN_S
    text, newest = f"{place} sends about {rate:.0f} records a second", records[-1]
    if newest.status not in (0, MONITOR):
        return Finding(name, FAIL, f"{text}, and says: {status_in_words(newest.status, family_of(sensor))}",
                       "see the sensor's manual")  # fmt: skip
    if abs(rate / sensor.rate - 1.0) > 0.1:
        return Finding(name, FAIL, f"{text}, sensor.rate_hz = {sensor.rate:g}", "set the key or its page")
    return Finding(name, OK, text)


def _heard(sensor: Sensor) -> list[SensorRecord]:
    """Return the records of `LISTEN_S`, counted from the first one."""
    client = client_of(sensor)
    try:
        heard: list[SensorRecord] = []
        until = time.monotonic() + PAGE_TIMEOUT_S
        while time.monotonic() < until:
            if (came := client.poll()) and not heard:
                until = time.monotonic() + LISTEN_S
            heard += came
            time.sleep(0.002)
        return heard
    finally:
        client.close()


def _differences(sensor: Sensor, said: DeviceSettings) -> Iterator[str]:
    """Yield what the page says otherwise than the configuration."""
    for key, ours, its in (
        ("force_counts_per_n", sensor.force_counts, said.force_counts),
        ("torque_counts_per_n_m", sensor.torque_counts, said.torque_counts),
    ):
        if abs(its / ours - 1.0) > AGREES:
            yield f"sensor.{key} = {ours:g}, its page says {its:g}"
    if said.rate and abs(said.rate / sensor.rate - 1.0) > 10 * AGREES:
        yield f"sensor.rate_hz = {sensor.rate:g}, its page says {said.rate:g}"
