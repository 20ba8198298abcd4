"""The emulated sensor read by `pynetft`, a client of ATI's wire that others wrote (it brings no server)."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest

from drivers.emulation.sensor.measuring import MeasuringSensor
from drivers.emulation.sensor.server import SensorServer
from hil.common.arrays import Array
from hil.common.free_port import free_port
from hil.configuration.schema import Sensor, SensorErrors

pynetft = pytest.importorskip("pynetft", reason="the peer pynetft is not installed (extra `oracles`)")

PERFECT = {"noise_force": 0.0, "noise_torque": 0.0, "lag": 0.0, "drift": 0.0, "clock_ppm": 0.0}
LOAD = np.array([12.5, -3.25, -40.0, 0.75, -1.5, 0.125])
BIAS = np.array([4.0, -3.0, 6.0, 0.1, -0.2, 0.05])
COUNTS = 1_000_000.0
TIMEOUT = 5.0


@contextmanager
def served(fault: list[str], **errors: float) -> Iterator[int]:
    """An emulated sensor under a load on a port of loopback, until the block ends; `fault[0]` goes wrong."""
    port = free_port(socket.SOCK_DGRAM)
    keys = Sensor.model_validate({"kind": "emulated", "port": port, "rate_hz": 500.0})
    made = MeasuringSensor(keys, SensorErrors().model_copy(update={**PERFECT, **errors}), seed=1)
    server, stop = SensorServer(made, keys), threading.Event()

    def serve() -> None:
        begun = time.monotonic()
        while not stop.wait(0.002):
            server.take_requests()
            server.send(made.take(time.monotonic() - begun, LOAD, fault[0]))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield port
    finally:
        stop.set()
        thread.join(TIMEOUT)
        server.close()


def peer(port: int, **settings: object) -> "pynetft.Client":
    """Their client, which takes counts from us as it finds no page of settings."""
    told = pynetft.Calibration(
        counts_per_force_unit=COUNTS,
        counts_per_torque_unit=COUNTS,
        force_unit=pynetft.ForceUnit.NEWTON,
        torque_unit=pynetft.TorqueUnit.NEWTON_METER,
    )
    config = pynetft.Config(
        sensor_host="127.0.0.1", rdt_port=port, calibration_override=told, receive_timeout=2.0, **settings
    )
    return pynetft.Client(config, queue_size=1000)


def wrench(sample: "pynetft.Sample") -> Array:
    return np.array(sample.wrench)


def test_it_reads_force_torque_and_numbers() -> None:
    """To a count: load and bias; numbers one after another, beyond the end of 32 bits too; status well."""
    with served([""]) as port, peer(port) as client:
        stream = client.samples(TIMEOUT)
        samples = [next(stream) for _ in range(100)]
        assert client.health().malformed_count == 0
    for sample in samples:
        np.testing.assert_allclose(wrench(sample), LOAD + BIAS, atol=1.0 / COUNTS)
    assert set(np.diff([s.rdt_sequence for s in samples])) == {1}
    assert {(b.ft_sequence - a.ft_sequence) % 2**32 for a, b in pairwise(samples)} == {1}
    assert {s.status for s in samples} == {0}


def test_its_bias_is_ours() -> None:
    """Their request for the software's bias makes our sensor read nothing."""
    with served([""]) as port, peer(port) as client:
        stream = client.samples(TIMEOUT)
        assert np.abs(wrench(next(stream))).max() > 1.0
        client.bias()
        left = (np.abs(wrench(next(stream))).max() for _ in range(2000))
        assert any(most < 2.0 / COUNTS for most in left)


def test_it_counts_what_we_lose() -> None:
    """A third of the records is lost on purpose; they count as many as their numbers lack."""
    with served([""], loss=0.3) as port, peer(port) as client:
        stream = client.samples(TIMEOUT)
        samples = [next(stream) for _ in range(200)]
        lost = client.health().lost_count
    missing = sum(b.rdt_sequence - a.rdt_sequence - 1 for a, b in pairwise(samples))
    assert 40 < missing <= lost


def test_our_error_is_an_error_to_it() -> None:
    """A sensor that saturates says so in its status: they stop, for they take it for serious."""
    fault, policy = [""], pynetft.RecoveryPolicy.FAIL_STOP
    with served(fault) as port, peer(port, recovery_policy=policy) as client:
        stream = client.samples(TIMEOUT)
        next(stream)
        fault[0] = "saturated"
        with pytest.raises(pynetft.SensorFaultError) as told:
            for _ in range(2000):
                next(stream)
        assert told.value.fault_code is pynetft.FaultCode.SERIOUS_STATUS
