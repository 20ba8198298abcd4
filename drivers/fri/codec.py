"""Datagrams of the Fast Research Interface 1.0 to objects and back; six-vectors come out in x, y, z order."""

from dataclasses import dataclass, field

import numpy as np

from drivers.fri.layout import (
    COMMAND_FLOAT_COUNT,
    COMMAND_FLOATS,
    COMMAND_HEADER,
    COMMAND_ID,
    COMMAND_ORDER,
    COMMAND_SIZE,
    MONITOR_FLOAT_COUNT,
    MONITOR_FLOATS,
    MONITOR_HEADER,
    MONITOR_ID,
    MONITOR_ORDER,
    MONITOR_SIZE,
)
from hil.common.arrays import Array, SingleArray
from hil.common.errors import BadMessage

SLOTS = 16
NO_REALS = (0.0,) * SLOTS
NO_INTS = (0,) * SLOTS
WIRE_FLOAT = np.dtype("<f4")


@dataclass(slots=True, eq=False)
class MonitorDatagram:
    """What the controller sends every sample time (MSR); see `fri_layout` for the float block.

    `floats` holds shape (182,) float64 in x, y, z order; the properties are views into it.
    """

    sequence: int = 0
    reflected: int = 0  # the last counter that the controller received
    krl_real: tuple[float, ...] = NO_REALS
    krl_int: tuple[int, ...] = NO_INTS
    krl_bool: int = 0
    timestamp: float = 0.0  # [s], 32 bits on the wire: no clock to rely on
    state: int = 0
    quality: int = 0
    sample_time: float = 0.0  # [s]
    command_sample_time: float = 0.0  # [s]
    safety_limits: float = 1.0
    answer_rate: float = 0.0
    latency: float = 0.0  # [s]
    jitter: float = 0.0  # [s]
    miss_rate: float = 0.0
    miss_counter: int = 0
    power: int = 0
    control: int = 0
    error: int = 0
    warning: int = 0
    floats: Array = field(default_factory=lambda: np.zeros(MONITOR_FLOAT_COUNT))

    def part(self, name: str) -> Array:
        """Return the view of a piece of the float block by its name in `MONITOR_FLOATS`."""
        return self.floats[MONITOR_FLOATS[name]]

    @property
    def q_measured(self) -> Array:
        """Measured joint positions [rad], shape (7,)."""
        return self.part("q_measured")

    @property
    def q_commanded_total(self) -> Array:
        """What the controller commands, its own share and this interface's [rad], shape (7,).

        In single precision, as either share comes and as every command goes.
        """
        total = self.part("q_commanded") + self.part("q_offset")
        return total.astype(np.float32).astype(np.float64)

    @property
    def wrench_external(self) -> Array:
        """The controller's estimate of the external wrench, sign and frame as it has them, shape (6,)."""
        return self.part("wrench_external")

    @property
    def jacobian(self) -> Array:
        """The controller's Jacobian, rows linear then angular, shape (6, 7)."""
        return self.part("jacobian").reshape(6, 7)


@dataclass(slots=True, eq=False)
class CommandDatagram:
    """What answers a monitor datagram (CMD); `floats` holds shape (58,) float64 in x, y, z order."""

    sequence: int = 0
    reflected: int = 0  # the counter of the datagram that this one answers
    krl_real: tuple[float, ...] = NO_REALS
    krl_int: tuple[int, ...] = NO_INTS
    krl_bool: int = 0
    flags: int = 0
    floats: Array = field(default_factory=lambda: np.zeros(COMMAND_FLOAT_COUNT))

    def part(self, name: str) -> Array:
        """Return the view of a piece of the float block by its name in `COMMAND_FLOATS`."""
        return self.floats[COMMAND_FLOATS[name]]

    @property
    def q(self) -> Array:
        """Commanded joint positions [rad], shape (7,)."""
        return self.part("q")


def _check(data: bytes, size: int, identifier: int, name: str) -> None:
    """Raise `BadMessage` unless size, declared size and identifier are those of the datagram `name`."""
    if len(data) != size:
        raise BadMessage(f"FRI: {len(data)} bytes are no {name} datagram, expected {size}")
    declared = int.from_bytes(data[4:6], "little")
    found = int.from_bytes(data[6:8], "little")
    if declared != size:
        raise BadMessage(f"FRI: a {name} datagram declares {declared} bytes, expected {size}")
    if found != identifier:
        raise BadMessage(f"FRI: datagram id {found:#06x} is not {identifier:#06x} ({name})")


def _widened(values: SingleArray) -> Array:
    """Return numbers off the wire as doubles; whatever bits they are, also those of no number."""
    with np.errstate(invalid="ignore"):  # a signalling NaN
        return values.astype(np.float64)


def decode_monitor(data: bytes) -> MonitorDatagram:
    """Return the monitor datagram in `data`.

    Raises:
        BadMessage: wrong size, wrong declared size, or wrong identifier.
    """
    _check(data, MONITOR_SIZE, MONITOR_ID, "MSR")
    head = MONITOR_HEADER.unpack_from(data)
    wire = np.frombuffer(data, WIRE_FLOAT, offset=MONITOR_HEADER.size)
    datagram = MonitorDatagram(head[0], head[1], head[4:20], head[20:36], head[36], *head[38:])
    datagram.floats = _widened(wire[MONITOR_ORDER])
    return datagram


def encode_monitor(datagram: MonitorDatagram) -> bytes:
    """Return the 916 bytes of a monitor datagram."""
    d = datagram
    head = MONITOR_HEADER.pack(
        *(d.sequence, d.reflected, MONITOR_SIZE, MONITOR_ID),
        *d.krl_real,
        *d.krl_int,
        *(d.krl_bool, 0),
        *(d.timestamp, d.state, d.quality, d.sample_time, d.command_sample_time, d.safety_limits),
        *(d.answer_rate, d.latency, d.jitter, d.miss_rate, d.miss_counter),
        *(d.power, d.control, d.error, d.warning),
    )
    return head + d.floats[MONITOR_ORDER].astype(WIRE_FLOAT).tobytes()


def decode_command(data: bytes) -> CommandDatagram:
    """Return the command datagram in `data`.

    Raises:
        BadMessage: wrong size, wrong declared size, or wrong identifier.
    """
    _check(data, COMMAND_SIZE, COMMAND_ID, "CMD")
    head = COMMAND_HEADER.unpack_from(data)
    wire = np.frombuffer(data, WIRE_FLOAT, offset=COMMAND_HEADER.size)
    return CommandDatagram(
        head[0], head[1], head[4:20], head[20:36], head[36], head[38], _widened(wire[COMMAND_ORDER])
    )


def encode_command(datagram: CommandDatagram) -> bytes:
    """Return the 376 bytes of a command datagram."""
    d = datagram
    head = COMMAND_HEADER.pack(
        *(d.sequence, d.reflected, COMMAND_SIZE, COMMAND_ID),
        *d.krl_real,
        *d.krl_int,
        *(d.krl_bool, 0, d.flags),
    )
    return head + d.floats[COMMAND_ORDER].astype(WIRE_FLOAT).tobytes()
