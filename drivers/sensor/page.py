"""The sensor's own page of settings, `/netftapi2.xml`: units, counts, rate. Pure."""

import re
from dataclasses import dataclass

from hil.common.errors import BadMessage

PAGE = "/netftapi2.xml"
NEWTON = 4.4482216152605
INCH, FOOT = 0.0254, 0.3048
GRAVITY = 9.80665
# what one of the device's units is worth [N], [N m]
FORCES = {
    "n": 1.0, "kn": 1000.0, "lb": NEWTON, "lbf": NEWTON, "klb": 1000.0 * NEWTON, "klbf": 1000.0 * NEWTON,
    "kg": GRAVITY, "kgf": GRAVITY, "g": 1e-3 * GRAVITY, "gf": 1e-3 * GRAVITY,
}  # fmt: skip
TORQUES = {
    "nm": 1.0, "nmm": 1e-3, "knm": 1000.0, "lbin": NEWTON * INCH, "lbfin": NEWTON * INCH,
    "lbft": NEWTON * FOOT, "lbfft": NEWTON * FOOT, "kgcm": 0.01 * GRAVITY, "kgfcm": 0.01 * GRAVITY,
}  # fmt: skip


@dataclass(frozen=True)
class DeviceSettings:
    """What a device says of itself.

    Attributes:
        force_counts: counts for a newton.
        torque_counts: counts for a newton metre.
        rate: records a second; 0 where it does not say.
    """

    force_counts: float
    torque_counts: float
    rate: float


def read_page(text: str) -> DeviceSettings:
    """Return the settings on a device's page.

    Raises:
        BadMessage: a setting is missing, or no number, or of a unit that is not known.
    """
    force_unit, torque_unit = _unit(text, "scfgfu", FORCES), _unit(text, "scfgtu", TORQUES)
    rate = _said(text, "comrdtrate")
    return DeviceSettings(
        _number(text, "cfgcpf") / force_unit,
        _number(text, "cfgcpt") / torque_unit,
        _number(text, "comrdtrate") if rate else 0.0,
    )


def _said(text: str, name: str) -> str:
    found = re.search(rf"<{name}>([^<]*)</{name}>", text)
    return found[1].strip() if found else ""


def _number(text: str, name: str) -> float:
    said = _said(text, name)
    try:
        value = float(said)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e12:
        raise BadMessage(f"the sensor's page {PAGE} says {name} = {said!r}, expected a number above 0")
    return value


def _unit(text: str, name: str, known: dict[str, float]) -> float:
    said = _said(text, name)
    letters = re.sub(r"[^a-z]", "", said.lower())
    if letters not in known:
        raise BadMessage(f"the sensor's page {PAGE} says {name} = {said!r}, a unit that is not known")
    return known[letters]
