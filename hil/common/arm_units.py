"""A robot model in other units than the SI's: millimetres, grams, degrees, as CAD programs export them.

Nothing in a URDF says its units. But an arm of a kilometre's reach is none, nor one of ten tonnes a metre.
"""

import math
from xml.etree.ElementTree import Element

from hil.common.errors import RobotModelError

FLANGE = "flange"
LONGEST_REACH = 30.0  # [m]; the longest arms of space stations reach 18 m
HEAVIEST = 2000.0  # [kg] a metre of reach; the heaviest industrial arms have 1500
SHORTEST_REACH, LIGHTEST = 0.1, 0.5  # [m], [kg] of what a smaller unit would come to
LENGTHS = (("inches", 0.0254), ("centimetres", 1e-2), ("millimetres", 1e-3))  # [m]
USUAL_REACH = 2.0  # [m]
MOST_TURN, LEAST_TURN = 400.0, 45.0  # [rad]: limits of joints between these are degrees; beyond, none at all


def look_at_units(root: Element) -> None:
    """See that an arm's URDF is in metres, kilograms and radians, as far as its size shows it.

    Numbers that cannot be read, and chains without a flange, are left to those who read them.

    Raises:
        RobotModelError: it is not; with the number, and the unit that is likely.
    """
    try:
        chain = _chain(root)
        reach = sum(_length(joint) for joint in chain)
        if not chain or not math.isfinite(reach):
            return
        _look_at_reach(reach)
        _look_at_masses(root, reach)
        _look_at_turns(chain)
    except ValueError:
        return


def _look_at_reach(reach: float) -> None:
    if reach <= LONGEST_REACH:
        return
    likely = next((f": {u}, of {w * reach:.3g} m?" for u, w in LENGTHS if w * reach <= USUAL_REACH), "")
    raise RobotModelError(f"its joints reach {reach:.4g} m, which no arm does; a URDF is in metres{likely}")


def _look_at_masses(root: Element, reach: float) -> None:
    """Look at masses, centres and radii of gyration; a pedestal, which moves nothing, may weigh anything."""
    still = {link.get("name") for link in root.findall("link")}
    still -= {child.get("link") for child in root.findall("joint/child")}
    moved = [link for link in root.findall("link") if link.get("name") not in still]
    total = sum(_number(link, "inertial/mass", "value") for link in moved)
    if total > HEAVIEST * max(reach, SHORTEST_REACH):
        likely = f": grams, of {1e-3 * total:.3g} kg?" if 1e-3 * total >= LIGHTEST else ""
        raise RobotModelError(
            f"its links weigh {total:.4g} kg at a reach of {reach:.3g} m, which no arm does; "
            f"a URDF is in kilograms{likely}"
        )
    for link in moved:
        name, mass = link.get("name"), _number(link, "inertial/mass", "value")
        centre = _norm(link.find("inertial/origin"))
        if centre > LONGEST_REACH:
            raise RobotModelError(
                f"the centre of mass of link {name!r} lies {centre:.4g} m from its frame; "
                "a URDF is in metres: millimetres?"
            )
        inertia = max(_number(link, "inertial/inertia", key) for key in ("ixx", "iyy", "izz"))
        if mass > 0.0 and inertia > mass * LONGEST_REACH**2:
            raise RobotModelError(
                f"the inertia of link {name!r} is {inertia:.4g} kg m2 at a mass of {mass:.4g} kg, "
                f"a radius of gyration of {math.sqrt(inertia / mass):.4g} m; "
                "a URDF is in kg m2: kg mm2 or g mm2?"
            )


def _look_at_turns(chain: list[Element]) -> None:
    for joint in chain:
        if joint.get("type") != "revolute":
            continue
        turn = max(abs(_number(joint, "limit", key)) for key in ("lower", "upper"))
        if LEAST_TURN <= turn <= MOST_TURN:
            raise RobotModelError(
                f"joint {joint.get('name')!r} turns by {turn:.4g} rad; a URDF is in radians: degrees?"
            )


def _chain(root: Element) -> list[Element]:
    """Return the joints from the flange to the root; a ring's each once."""
    to = {child.get("link"): joint for joint in root.findall("joint") for child in joint.findall("child")}
    found: list[Element] = []
    link: str | None = FLANGE
    while (joint := to.get(link)) is not None and joint not in found:
        found.append(joint)
        parent = joint.find("parent")
        link = None if parent is None else parent.get("link")
    return found


def _length(joint: Element) -> float:
    return _norm(joint.find("origin"))


def _norm(origin: Element | None) -> float:
    return 0.0 if origin is None else math.hypot(*map(float, origin.get("xyz", "0").split()))


def _number(element: Element, path: str, key: str) -> float:
    found = element.find(path)
    return 0.0 if found is None else float(found.get(key, "0"))
