"""Addresses of the two hosts of a split run: `tcp://HOST:PORT`."""

import re

_ENDPOINT = re.compile(r"tcp://(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})")
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
    if not 1 <= int(match[3]) <= 65535:
        return "has no port: it must lie within 1 and 65535"
    return ""
