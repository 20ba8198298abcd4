"""The way to the controller: port, buffer and network card."""

import array
import fcntl
import socket
import struct
from pathlib import Path

from drivers.fri.bound_socket import BUFFER_BYTES, bound_socket
from hil.commands.doctor.finding import FAIL, OK, WARN, Finding, Look, read
from hil.common.errors import LinkError
from hil.configuration.schema import Fri

SIOCGIFADDR, SIOCETHTOOL = 0x8915, 0x8946
ETHTOOL_GCOALESCE, COALESCE_WORDS = 0x0E, 23  # second word: microseconds that a packet may wait
SLOWEST_MBIT = 100
LONGEST_COALESCE_US = 20


def network_looks(fri: Fri, running: bool, root: Path = Path("/")) -> list[tuple[str, Look]]:
    """Return all looks at the robot's link; `running`: a daemon of ours has the port."""
    return [
        ("port", lambda: port(fri, running)),
        ("receive buffer", lambda: receive_buffer(root)),
        ("network card", lambda: card(fri.controller_address, root)),
    ]


def port(fri: Fri, running: bool) -> Finding:
    """Can the driver have its port?"""
    place = f"UDP {fri.bind_address} port {fri.port}"
    if running:
        return Finding("port", OK, f"{place}: the running daemon has it")
    try:
        bound_socket(fri.bind_address, fri.port).close()
    except LinkError as error:
        return Finding("port", FAIL, str(error))
    return Finding("port", OK, f"{place} is free")


def receive_buffer(root: Path) -> Finding:
    """Does the kernel grant the buffer that bridges a stall?"""
    largest = int(read(root / "proc/sys/net/core/rmem_max") or 0)
    text = f"net.core.rmem_max {largest}, asked for {BUFFER_BYTES}"
    return Finding(
        "receive buffer",
        OK if largest >= BUFFER_BYTES else WARN,
        text,
        f"sysctl net.core.rmem_max={BUFFER_BYTES}",
    )


def card(controller: str, root: Path) -> Finding:
    """Which card leads to the controller, and is it fit?"""
    own = _own_address(controller)
    name = _interface(own)
    if own.startswith("127."):
        return Finding("network card", OK, f"{controller} is this machine: loopback, no card")
    if not own and controller.startswith("127."):
        text = f"no way leads to {controller}: this machine's loopback is down"
        return Finding("network card", FAIL, text, "ip link set lo up")
    if name is None:
        return Finding(
            "network card", WARN, f"no card leads to {controller}", "plug in the cable, set its address"
        )
    folder = root / "sys/class/net" / name
    speed, state = read(folder / "speed"), read(folder / "operstate")
    wait = _coalescing(name)
    text = f"{name} ({own}), {state or 'state unknown'}, {speed or 'unknown'} Mbit/s"
    text += "" if wait is None else f", packets wait up to {wait} us (coalescing)"
    if state == "down":
        return Finding("network card", WARN, text, "plug in the cable")
    if speed.isdigit() and int(speed) < SLOWEST_MBIT:
        return Finding(
            "network card", WARN, text, f"at least {SLOWEST_MBIT} Mbit/s: look at cable and switch"
        )
    if wait is not None and wait > LONGEST_COALESCE_US:
        return Finding("network card", WARN, text, f"ethtool -C {name} rx-usecs 0")
    return Finding("network card", OK, text)


def _own_address(controller: str) -> str:
    """Return the address from which packets to the controller would be sent; empty: no route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((controller, 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def _interface(address: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                data = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()))
            except OSError:
                continue  # a card without address
            if socket.inet_ntoa(data[20:24]) == address:
                return name
    return None


def _coalescing(name: str) -> int | None:
    """Return for how long the card may keep a packet before it tells [us]; None where it does not say."""
    words = array.array("I", [ETHTOOL_GCOALESCE] + [0] * COALESCE_WORDS)
    request = struct.pack("16sP", name.encode(), words.buffer_info()[0])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            fcntl.ioctl(probe, SIOCETHTOOL, request)
        except OSError:
            return None
    return words[1]
