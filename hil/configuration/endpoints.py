"""Addresses of the two hosts of a split run: `tcp://HOST:PORT`."""

import ipaddress
import re

_ENDPOINT = re.compile(r"tcp://(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9_.-]+)):([1-9][0-9]{0,4}|0)")
_NUMBERS = re.compile(
    r"[0-9.]+|0[xX][0-9a-fA-F.xX]*"
)  # no name: some programs read such as octal or short forms
_EVERYWHERE = ("0.0.0.0", "::", "0")


def host_and_port(endpoint: str) -> tuple[str, int]:
    """Return host and port of an endpoint that has no fault."""
    match = _ENDPOINT.fullmatch(endpoint)
    assert match is not None
    return match[1] or match[2], int(match[3])


def endpoint_fault(endpoint: str) -> str:
    """Return what is wrong with an endpoint and the remedy; empty when nothing is."""
    match = _ENDPOINT.fullmatch(endpoint)
    if match is None:
        return "must be tcp://HOST:PORT, for example tcp://10.0.0.1:47100"
    if (match[1] or match[2]) in _EVERYWHERE:
        return (
            "names no host: the other one must reach it; write the address of the network card between them"
        )
    if fault := _fault_of_numbers(match[1] or match[2]):
        return fault
    if not 1 <= int(match[3]) <= 65535:
        return "has no port: it must lie within 1 and 65535"
    return ""


def _fault_of_numbers(host: str) -> str:
    """Return what is wrong with an address that is written in numbers; empty for a name."""
    if ":" not in host and not _NUMBERS.fullmatch(host):
        return ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "is no address: write four numbers without leading zeros, as 10.0.0.1, or a name"
    if address.is_multicast or str(address) == "255.255.255.255":
        return "names no single host: write the address of the network card between them"
    return ""
