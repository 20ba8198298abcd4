"""What `zerog doctor` finds at a force sensor: its page by a peer, its stream by the emulated one."""

import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.sensor.emulated_sensor import EmulatedSensor
from drivers.emulation.sensor.server import SensorServer
from hil.commands.doctor.finding import FAIL, OK, WARN
from hil.commands.doctor.sensor import own_port, page, sensor_looks, stream
from hil.common.free_port import free_port
from hil.configuration import Configuration
from hil.configuration.schema import Sensor

SAID = (
    "<netft><cfgcpf>1000000</cfgcpf><cfgcpt>1000000</cfgcpt><scfgfu>N</scfgfu><scfgtu>Nm</scfgtu>"
    "<comrdtrate>1000</comrdtrate></netft>"
)


@pytest.fixture
def port() -> Iterator[int]:
    """A page that says what a device says."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/netftapi2.xml" else 404)
            self.end_headers()
            self.wfile.write(SAID.encode())

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_page_is_compared_with_the_keys(port: int) -> None:
    """Equal: ok; other counts or another rate: fail with both; nobody there: a warning."""
    assert page(Sensor(kind="netft"), port).verdict == OK
    wrong = page(Sensor.model_validate({"kind": "netft", "force_counts_per_n": 1e5, "rate_hz": 500.0}), port)
    assert wrong.verdict == FAIL
    assert "sensor.force_counts_per_n = 100000, its page says 1e+06" in wrong.text
    assert "sensor.rate_hz = 500, its page says 1000" in wrong.text
    assert page(Sensor(kind="netft"), free_port(socket.SOCK_STREAM)).verdict == WARN


def test_a_stream_is_listened_to(cube: Configuration) -> None:
    """What sends is told with about its rate; what does not fails; a run's own is left alone."""
    s = Sensor(kind="netft", port=free_port(socket.SOCK_DGRAM))
    assert stream(s, running=True).verdict == OK
    c = cube.model_copy(update={"sensor": s})
    sensor = EmulatedSensor(c, EmulatedController(c).arm, 1)
    server, over = SensorServer(sensor, s), threading.Event()
    begin = time.monotonic()

    def serve() -> None:
        while not over.wait(0.002):
            server.take_requests()
            server.send(sensor.measure(time.monotonic() - begin, np.zeros(6), ""))

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        found = stream(s, running=False)
    finally:
        over.set()
        thread.join()
        server.close()
    assert "records a second" in found.text and "sends nothing" not in found.text
    assert stream(s, running=False).verdict == FAIL


def test_an_emulated_ones_port_is_looked_at(cube: Configuration) -> None:
    """Free or busy; and without a sensor there is nothing to look at."""
    s = Sensor(kind="emulated", port=free_port(socket.SOCK_DGRAM))
    assert own_port(s, running=False).verdict == OK
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as busy:
        busy.bind(("127.0.0.1", s.port))
        assert own_port(s, running=False).verdict == FAIL
    assert list(sensor_looks(cube, running=False)) == []
