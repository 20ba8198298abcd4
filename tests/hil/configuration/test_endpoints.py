"""The two hosts' addresses: what some programs would take for another host, or for none, is refused."""

import pytest

from hil.configuration.endpoints import endpoint_fault, host_and_port


@pytest.mark.parametrize(
    "end",
    [
        "tcp://10.0.0.010:47100",
        "tcp://10.1:47100",
        "tcp://0x0a.0.0.1:47100",
        "tcp://167772161:47100",
        "tcp://10.0.0.256:47100",
        "tcp://224.0.0.1:47100",
        "tcp://255.255.255.255:47100",
        "tcp://[ff02::1]:47100",
        "tcp://[::1::2]:47100",
        "tcp://10.0.0.1:047100",
        "tcp://10.0.0.1:\u0663\u0663\u0663\u0663",
        "tcp://h\u00f6st:47100",
        "tcp://10.0.0.1:0",
        "tcp://10.0.0.1:70000",
        "tcp://10.0.0.1:5e3",
        "tcp://10.0.0.1",
        "10.0.0.1:47100",
        "tcp://*:47100",
        "tcp://0.0.0.0:47100",
        "tcp://10.0.0.1:47100 ",
        "",
    ],
)
def test_what_names_no_host_or_another_one_is_refused(end: str) -> None:
    """Leading zeros are octal for some, 10.1 is 10.0.0.1 for others; digits are ASCII's."""
    assert endpoint_fault(end)


@pytest.mark.parametrize(
    ("end", "host", "port"),
    [
        ("tcp://10.0.0.1:47100", "10.0.0.1", 47100),
        ("tcp://robot-1.lab:1", "robot-1.lab", 1),
        ("tcp://0host:65535", "0host", 65535),
        ("tcp://[fd00::1]:47100", "fd00::1", 47100),
    ],
)
def test_numbers_and_names_are_taken(end: str, host: str, port: int) -> None:
    """As they are said."""
    assert endpoint_fault(end) == "" and host_and_port(end) == (host, port)
