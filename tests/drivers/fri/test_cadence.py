"""How often packets come, whatever their heads say; and what is said of a robot that cannot be heard."""

import socket
import time
from pathlib import Path
from socket import SOCK_DGRAM

import numpy as np
import pytest

from drivers.fri.cadence import TOLERANCE, UNKNOWN, Cadence
from drivers.fri.client import FriClient
from drivers.fri.session import FriSession
from hil.common.errors import ConfigurationError
from hil.common.free_port import free_port
from hil.configuration import load_configuration
from hil.configuration.schema import Fri
from tests.conftest import ROOT
from tests.drivers.fri.test_session import HOST, monitor

MS = 1_000_000


def fed(period_ms: float, configured_ms: float = 2.0, seconds: float = 1.0) -> Cadence:
    """A stream with that time between its packets."""
    cadence = Cadence(1e-3 * configured_ms)
    for k in range(round(1e3 * seconds / period_ms)):
        cadence.take(k, round((7.0 + k * period_ms) * MS))
    return cadence


@pytest.mark.parametrize(
    ("period", "configured"), [(3.25, 2.0), (1.0, 2.0), (2.2, 2.0), (12.0, 1.0), (4.0, 5.0)]
)
def test_another_cadence_is_told_with_both_times(period: float, configured: float) -> None:
    """Slower or faster, known within a second and to a hundredth."""
    cadence = fed(period, configured)
    assert cadence.measured == pytest.approx(1e-3 * period, rel=0.01)
    assert cadence.trouble.startswith(
        f"packets come every {period:.1f} ms, fri.sample_time_ms is {configured:g}: change the key"
    )


@pytest.mark.parametrize("period", [1.0, 2.0, 5.0, 20.0])
def test_the_configured_one_is_no_trouble_whatever_the_network_does(period: float) -> None:
    """With clocks 1 % apart, jitter, bursts of a quarter of a second, and a packet in three lost."""
    rng = np.random.default_rng(3)
    for late in (
        lambda k: 0.0,
        lambda k: float(rng.exponential(1.5)),
        lambda k: max(0.0, 250.0 - (k * period) % 400.0),  # held up and delivered in a heap
        lambda k: 0.01 * k * period,
        lambda k: 60.0 * (rng.random() < 0.02 * period),  # held up for a while, and what follows with it
    ):
        cadence, told, arrival = Cadence(1e-3 * period), set(), 0.0
        for k in range(round(3000 / period)):
            arrival = max(arrival, 7.0 + k * period + late(k))
            cadence.take(k, round(arrival * MS))
            told.add(cadence.trouble)
        assert told == {UNKNOWN, ""} and abs(1e3 * cadence.measured / period - 1.0) < TOLERANCE
    cadence = Cadence(1e-3 * period)
    for k in range(round(3000 / period)):
        if k % 3:
            cadence.take(k, round(k * period * MS))
    assert cadence.trouble == ""


def test_it_is_unknown_at_first_and_after_another_beginning() -> None:
    """Nothing is taken for right before it was measured: a short stream does not say."""
    assert fed(3.25, seconds=0.4).trouble == UNKNOWN
    session = FriSession(Fri())
    for k in range(400):
        session.receive(monitor(k), HOST, round(3.25 * k * MS))
    assert "every 3.2 ms" in session.cadence.trouble or "every 3.3 ms" in session.cadence.trouble
    session.receive(monitor(9000), HOST, round(3.25 * 401 * MS))
    assert session.cadence.trouble == UNKNOWN


def heard(client: FriClient, sender: socket.socket, port: int, data: bytes) -> str:
    """Send a datagram and return what the client says then."""
    sender.sendto(data, (HOST, port))
    time.sleep(0.01)
    client.receive(0.05)
    return client.trouble


def test_who_is_heard_at_another_address_is_named_with_the_key() -> None:
    """Nothing at all, a stranger, no FRI, and at last the controller: each in words of its own."""
    port = free_port(SOCK_DGRAM)
    with (
        FriClient(Fri(port=port)) as client,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as controller,
    ):
        stranger.bind(("127.0.0.2", 0))
        controller.bind((HOST, 0))
        assert client.trouble == f"nothing comes to UDP 127.0.0.1 port {port}"
        text = heard(client, stranger, port, monitor(1))
        assert "come from 127.0.0.2, fri.controller_address is 127.0.0.1: set the key" in text
        assert heard(client, controller, port, b"hello") not in ("", text)
        assert heard(client, controller, port, monitor(1)) == UNKNOWN
        assert heard(client, stranger, port, monitor(2)) == UNKNOWN  # the controller is there


@pytest.mark.parametrize("key", ["bind_address", "controller_address"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("localhost", "is a name"),
        ("robot-1.lab", "getent ahostsv4 robot-1.lab"),
        ("192.168.000.020", "without leading zeros"),
        ("::1", "IPv6"),
        ("fe80::1%eth0", "IPv6"),
        ("300.1.1.1", "is no address"),
        ("10.0.0.1 ", "is no address"),
        ("", "is no address"),
    ],
)
def test_an_address_that_no_packet_carries_is_refused(key: str, text: str, words: str) -> None:
    """By the file's check: compared with what packets carry, it would never be the same."""
    with pytest.raises(ConfigurationError) as told:
        load_configuration(ROOT / "configs" / "cube.toml", [f'fri.{key}="{text}"'])
    assert f"fri.{key}" in str(told.value) and words in str(told.value)
    assert "Value error" not in str(told.value)


@pytest.mark.parametrize("text", ["0.0.0.0", "255.255.255.255", "224.0.0.1"])
def test_a_controller_is_one_machine(text: str) -> None:
    """All addresses may be listened at; a controller has one."""
    path: Path = ROOT / "configs" / "cube.toml"
    with pytest.raises(ConfigurationError, match="no single machine"):
        load_configuration(path, [f'fri.controller_address="{text}"'])
    if text != "0.0.0.0":  # nothing would ever be heard there
        with pytest.raises(ConfigurationError, match="no single machine"):
            load_configuration(path, [f'fri.bind_address="{text}"'])
    assert load_configuration(path, ['fri.bind_address="0.0.0.0"']).fri.bind_address == "0.0.0.0"
