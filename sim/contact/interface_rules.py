"""Rules between the keys of a file of interfaces: what no single key shows to be wrong."""

import numpy as np

from sim.contact.fastener_rules import fastener_faults
from sim.contact.interface_schema import InterfaceFile, InterfaceSection, Material

MIN_CLEARANCE = 20e-6  # [m] between the radii of pin and hole


def interface_faults(file: InterfaceFile) -> list[str]:
    """Return every fault of a file, each with key, value, bound and remedy."""
    faults = [fault for name, m in file.material.items() for fault in _material(f"material.{name}", m)]
    if not file.interface:
        faults.append("interface: there is none; declare at least one [[interface]]")
    names = [section.name for section in file.interface]
    faults += [
        f"interface.name = {name!r} is used {names.count(name)} times; name each interface differently"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
    for i, section in enumerate(file.interface):
        key = f"interface[{i}]"
        for part, material in (("pins", section.pins.material), ("plate", section.plate.material)):
            if material not in file.material:
                faults.append(
                    f"{key}.{part}.material = {material!r} is not declared; materials: "
                    + (", ".join(map(repr, file.material)) or "none")
                )
        if section.pins.body == section.plate.body:
            faults.append(
                f"{key}.pins.body = plate.body = {section.plate.body!r}: pins and plate must be on two bodies"
            )
        faults += _fit(key, section) + _pattern(key, section) + _holes(f"{key}.plate", section)
        faults += fastener_faults(key, section)
    return faults


def _material(key: str, material: Material) -> list[str]:
    """Return why a material says too little or too much."""
    impact = {
        "restitution": material.restitution,
        "contact_time_ms": material.contact_time,
    }
    spring = {
        "stiffness_n_per_m": material.stiffness,
        "damping_n_s_per_m": material.damping,
    }
    given = [name for name, value in {**impact, **spring}.items() if value is not None]
    if set(given) in ({*impact}, {*spring}):
        return []
    problem = "is over-determined" if {*given} & {*impact} and {*given} & {*spring} else "is incomplete"
    return [
        f"{key} {problem}: it has {', '.join(given) or 'neither'}; give either {' and '.join(impact)}, or "
        f"{' and '.join(spring)}"
    ]


def _fit(key: str, section: InterfaceSection) -> list[str]:
    """Return why the pins do not fit their holes."""
    pins, holes = section.pins, section.plate.holes
    faults = []
    if holes.radius - pins.radius < MIN_CLEARANCE * (1.0 - 1e-9):
        faults.append(
            f"{key}.pins.radius_mm = {1e3 * pins.radius:g} in holes of radius {1e3 * holes.radius:g} leaves "
            f"{1e6 * (holes.radius - pins.radius):.3g} um of clearance, at least {1e6 * MIN_CLEARANCE:g} um "
            "is needed: without it the pin touches the wall all around at once and no contact has a "
            "direction; make the pin thinner or the hole wider"
        )
    if float(pins.axis @ pins.axis) < 1e-12:
        faults.append(
            f"{key}.pins.axis = {pins.axis.tolist()} has no direction; give a vector from foot to tip"
        )
    return faults


def _pattern(key: str, section: InterfaceSection) -> list[str]:
    """Return why the two patterns do not belong together."""
    pins, holes = section.pins.places, section.plate.holes.places
    if len(pins) != len(holes):
        return [
            f"{key}: {len(pins)} pins (pins.places_mm) but {len(holes)} holes (plate.holes.places_mm); "
            "pin i belongs to hole i, so give as many of one as of the other"
        ]
    axis = section.pins.axis / max(float(np.linalg.norm(section.pins.axis)), 1e-6)
    across = pins - np.outer(pins @ axis, axis)
    play = 2.0 * (section.plate.holes.radius - section.pins.radius)
    apart = np.linalg.norm(across[:, None] - across[None], axis=2)
    wanted = np.linalg.norm(holes[:, None] - holes[None], axis=2)
    i, j = divmod(int(np.argmax(np.abs(apart - wanted))), len(pins))
    if abs(apart[i, j] - wanted[i, j]) <= play + 1e-9 or play <= 0.0:
        return []
    return [
        f"{key}: pins {i} and {j} (pins.places_mm) are {1e3 * apart[i, j]:g} mm apart across their axis, "
        f"their holes (plate.holes.places_mm) {1e3 * wanted[i, j]:g} mm: the difference must be at most "
        f"twice the clearance, {1e3 * play:.3g} mm, or they cannot enter together"
    ]


def _holes(key: str, section: InterfaceSection) -> list[str]:
    """Return why holes do not lie within their plate, or not apart."""
    plate, holes = section.plate, section.plate.holes
    faults = []
    if plate.height < (holes.height + holes.radius) * (1.0 - 1e-9):
        faults.append(
            f"{key}.height_mm = {1e3 * plate.height:g} must be at least holes.height_mm + holes.radius_mm = "
            f"{1e3 * (holes.height + holes.radius):g}, or the holes come out below"
        )
    for i, place in enumerate(holes.places):
        for axis in range(2):
            room = plate.half_widths[axis] - abs(place[axis]) - holes.radius
            if room <= 0.0:
                faults.append(
                    f"{key}.holes.places_mm[{i}] = {(1e3 * place).tolist()} is outside the plate: "
                    f"|{'xy'[axis]}| "
                    f"must be below half_widths_mm - radius_mm = "
                    f"{1e3 * (plate.half_widths[axis] - holes.radius):g}"
                )
    for i, place in enumerate(holes.places):
        for j in range(i):
            apart = float(np.linalg.norm(place - holes.places[j]))
            if apart <= 2.0 * holes.radius:
                faults.append(
                    f"{key}.holes.places_mm[{j}] and [{i}] are {1e3 * apart:g} mm apart, they overlap: "
                    f"more than 2 radius_mm = {2e3 * holes.radius:g} is needed"
                )
    return faults
