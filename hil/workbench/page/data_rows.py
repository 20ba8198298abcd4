"""A component's data as a person reads them: each value in the unit of its file."""

from typing import Any

import numpy as np

from hil.configuration.quantities import UNITS, Quantity, Section
from sim.assembly.component_schema import ComponentFile, Connector, Revolute

UNIT_WORDS = {
    "kg": "kg", "kg_m2": "kg m²", "mm": "mm", "ms": "ms", "s": "s", "n": "N", "n_m": "N m", "deg": "°",
    "deg_s": "°/s", "mm_s": "mm/s", "n_m_per_rad": "N m/rad", "n_m_s_per_rad": "N m s/rad", "a": "A",
    "v": "V", "w": "W", "ohm": "Ω", "mh": "mH", "n_m_per_a": "N m/A", "k": "K", "k_per_w": "K/W",
    "j_per_k": "J/K", "arcmin": "′",
}  # fmt: skip
LEFT_OUT = {"shapes", "type", "thermal_class"}


def rows_of(component: ComponentFile) -> list[tuple[str, str]]:
    """Return label and value of all that a component's file says of it."""
    rows = []
    if component.bodies:
        rows.append(("mass", f"{mass_of(component):.4g} kg"))
    if component.input is not None:
        rows.append(("input", in_words(component.input)))
    if component.output is not None:
        rows.append(("output", in_words(component.output)))
    for k, joint in enumerate(component.joints):
        prefix = f"joint {k + 1} " if len(component.joints) > 1 else ""
        rows += [(prefix + label, value) for label, value in _table(joint)]
    for drive in (component.motor, component.gear, component.brake, component.torque_sensor):
        rows += _table(drive) if drive is not None else []
    for k, body in enumerate(component.bodies):
        prefix = f"body {k + 1} " if len(component.bodies) > 1 else ""
        rows += [(prefix + label, value) for label, value in _table(body)]
    return rows


def brief_of(component: ComponentFile) -> str:
    """Return what matters most about a component in a few words."""
    words: list[str] = []
    if component.motor is not None:
        m = component.motor
        words = [f"{m.torque_constant * m.current:.3g} N m", f"{m.current:.3g} A", f"{m.mass:.3g} kg"]
    elif component.gear is not None:
        words = [f"{component.gear.ratio:g} : 1", f"{component.gear.torque_peak:.4g} N m peak"]
    elif component.brake is not None:
        words = [f"{component.brake.torque:.3g} N m", f"{1e3 * component.brake.closing_time:g} ms"]
    elif component.torque_sensor is not None:
        words = [f"± {component.torque_sensor.limit:.4g} N m"]
    else:
        words = [_joint_brief(joint) for joint in component.joints[:1]]
        if len(component.joints) > 1:
            words = [f"{len(component.joints)} joints"]
        words.append(f"{mass_of(component):.3g} kg")
    return " · ".join(words)


def mass_of(component: ComponentFile) -> float:
    """Return the mass of all bodies [kg]."""
    return sum(body.mass for body in component.bodies)


def in_words(connector: Connector) -> str:
    """Return a connector as a person says it."""
    return f"{connector.gender} {connector.type} {1e3 * connector.size:g} mm"


def _joint_brief(joint: Any) -> str:
    scale, unit = (180.0 / np.pi, "°") if isinstance(joint, Revolute) else (1e3, " mm")
    lower, upper = scale * joint.lower, scale * joint.upper
    effort = f"{joint.torque:.4g} N m" if isinstance(joint, Revolute) else f"{joint.force:.4g} N"
    span = f"± {upper:.4g}{unit}" if abs(lower + upper) < 1e-9 else f"{lower:.4g} … {upper:.4g}{unit}"
    return f"{span} · {effort}"


def _table(section: Section) -> list[tuple[str, str]]:
    rows = []
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if value is None or name in LEFT_OUT or _nothing(value, field.default):
            continue
        unit = next((m.unit for m in field.metadata if isinstance(m, Quantity)), "")
        rows.append((name.replace("_", " "), _said(value, unit)))
    return rows


def _nothing(value: Any, default: Any) -> bool:
    """Return whether a value is the zero that a file leaves out."""
    return bool(np.size(value)) and not isinstance(value, str) and not np.any(value) and not np.any(default)


def _said(value: Any, unit: str) -> str:
    if isinstance(value, str):
        return value
    numbers = " ".join(f"{x / UNITS[unit]:.5g}" for x in np.atleast_1d(value))
    return f"{numbers} {UNIT_WORDS.get(unit, unit)}".strip()
