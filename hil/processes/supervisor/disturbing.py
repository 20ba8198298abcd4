"""What an operator asks to go wrong in the emulation, checked: every bound is told in one line."""

import json
from dataclasses import replace
from typing import Any

from drivers.emulation.disturbances import (
    ARM_FAULTS,
    CALM,
    DIRECTIONS,
    SENSOR_FAULTS,
    STRATEGIES,
    WRENCH_FAULTS,
)
from drivers.fri.layout import JOINTS, Quality
from hil.common.errors import OperatorError
from hil.messaging.messages import Disturbance

# name of a number as it is asked for -> unit for people, largest value, factor to SI
NUMBERS = {
    "seconds": ("s", 600.0, 1.0),
    "loss": ("", 1.0, 1.0),
    "duplicate": ("", 1.0, 1.0),
    "reorder_ms": ("ms", 1000.0, 1e-3),
    "delay_ms": ("ms", 1000.0, 1e-3),
    "astray_mrad": ("mrad", 100.0, 1e-3),
    "drive_error": ("", JOINTS, 1.0),
    "drive_warning": ("", JOINTS, 1.0),
}
SWITCHES = ("silence", "drives_off", "clear")
WORDS = {
    "direction": tuple(DIRECTIONS),
    "quality": tuple(quality.name.lower() for quality in Quality),
    "wrench": (*WRENCH_FAULTS, *SENSOR_FAULTS),
    "arm": ARM_FAULTS,
    "strategy": tuple(STRATEGIES),
}
HOW = ("seconds", "direction")  # they say nothing of what goes wrong
ABSENT: dict[str, Any] = {
    "seconds": 1.0, "loss": 0.0, "duplicate": 0.0, "reorder_ms": 0.0, "delay_ms": 0.0,
    "astray_mrad": 0.0, "drive_error": 0.0, "drive_warning": 0.0,
    "silence": False, "drives_off": False, "clear": False,
    "direction": "both", "quality": "perfect", "wrench": "", "arm": "", "strategy": "",
}  # fmt: skip


def disturbance_from(arguments: str, t_ns: int) -> Disturbance:
    """Return the disturbance that a request of instant `t_ns` asks for.

    Its arguments are JSON, in the units of their names.

    Raises:
        OperatorError: an unknown name, a value out of its bounds, or nothing asked for.
    """
    try:
        asked = json.loads(arguments)
    except (ValueError, RecursionError) as error:
        raise OperatorError(f"disturb: the arguments are no JSON: {error}") from error
    if not isinstance(asked, dict):
        raise OperatorError("disturb: the arguments must be names and values")
    unknown = set(asked) - set(ABSENT)
    if unknown:
        raise OperatorError(f"disturb: {', '.join(sorted(unknown))} is unknown; known: {', '.join(ABSENT)}")
    if not any(asked.get(name, absent) != absent for name, absent in ABSENT.items() if name not in HOW):
        raise OperatorError("disturb: say what is to go wrong, for example --loss 0.05, or --clear")
    values = ABSENT | asked
    numbers = {name: _number(name, values[name]) for name in NUMBERS}
    for name in SWITCHES:
        if not isinstance(values[name], bool):
            raise OperatorError(f"disturb: {name} = {values[name]!r} must be true or false")
    for name, known in WORDS.items():
        if not isinstance(values[name], str) or values[name] not in (*known, ABSENT[name]):
            raise OperatorError(f"disturb: {name} = {values[name]!r} is unknown; known: {', '.join(known)}")
    if values["clear"]:
        return replace(CALM, t_ns=t_ns)
    return Disturbance(
        t_ns=t_ns,
        duration=numbers["seconds"],
        direction=values["direction"],
        loss=numbers["loss"],
        duplicates=numbers["duplicate"],
        reorder=numbers["reorder_ms"],
        delay=numbers["delay_ms"],
        silence=values["silence"],
        quality=int(Quality[values["quality"].upper()]),
        drives_off=values["drives_off"],
        wrench=values["wrench"],
        arm=values["arm"],
        astray=numbers["astray_mrad"],
        drive_error=_drive_bit(numbers["drive_error"]),
        drive_warning=_drive_bit(numbers["drive_warning"]),
        strategy=values["strategy"],
    )


def _drive_bit(number: float) -> int:
    """Return the bit of a drive, counted from 1; 0 is none."""
    return 1 << (int(number) - 1) if number >= 1.0 else 0


def _number(name: str, value: Any) -> float:
    """Return a number in SI."""
    unit, largest, scale = NUMBERS[name]
    well = isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= largest
    if not well:
        raise OperatorError(f"disturb: {name} = {value!r} must lie within 0 and {largest:g} {unit}".rstrip())
    return float(value) * scale
