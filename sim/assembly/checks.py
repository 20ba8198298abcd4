"""What is wrong with an assembly, what is doubtful, and what it can do: findings and figures.

An assembly whose parts do not fit is none: that is refused where it is put together (`sim.assembly.chain`).
Here is judged what fits: drives, masses, margins.
"""

from dataclasses import dataclass
from typing import Literal

from hil.common.errors import AssemblyError
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile, Gear, Joint, Motor, Revolute
from sim.assembly.figures import (
    Margin,
    figures,
    greatest_by_motor,
    margins,
    motor_and_gear,
    of_output,
)
from sim.assembly.manipulator import Manipulator, manipulator_of

__all__ = ["Finding", "check", "figures"]

DRIVE = ("motor", "gear", "brake", "torque_sensor")  # roles in a joint, and kinds of components


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with an assembly, or doubtful.

    Attributes:
        level: an error makes the assembly useless, a warning does not.
        part: of the assembly; empty: the whole.
        text: what it is, with values.
        remedy: what to do.
    """

    level: Literal["error", "warning"]
    part: str
    text: str
    remedy: str

    def __str__(self) -> str:
        place = f"{self.part}: " if self.part else ""
        return f"{self.level}: {place}{self.text}: {self.remedy}"


def check(chain: Chain) -> list[Finding]:
    """Return the findings about an assembly, errors first."""
    if not chain.parts:
        return [Finding("error", "", "the assembly has no parts", "begin with a base")]
    found: list[Finding] = []
    for part in chain:
        for joint in part.component.joints:
            found += _drive_findings(chain, part.name, part.component, joint)
        if part.component.inertia_as_published:
            text = "an inertia is that of no body: its largest moment is above the sum of the others"
            remedy = "it is used as published; other programs may refuse it"
            found.append(Finding("warning", part.name, text, remedy))
    if any(finding.level == "error" for finding in found):
        return found
    manipulator = manipulator_of(chain)
    if not manipulator.axes:
        return [*found, Finding("error", "", "no part has a joint", "add a joint")]
    found += _mass_findings(manipulator)
    found += _unknown_continuous(chain, manipulator)
    for axis, margin in zip(manipulator.axes, margins(chain, manipulator), strict=True):
        found += _margin_findings(chain, axis.joint, margin)
    return sorted(found, key=lambda finding: finding.level)


def _drive_findings(chain: Chain, part: str, component: ComponentFile, joint: Joint) -> list[Finding]:
    """Return what is wrong with the names of a drive's parts, and where they do not suit each other."""
    found = []
    for role in DRIVE:
        name = getattr(joint, role)
        if name is None:
            continue
        try:
            kind = chain.database[name].kind
            wrong = "" if kind == role else f"{name!r} is a {kind}"
        except AssemblyError as error:
            wrong = str(error)
        if wrong:
            remedy = f"name a component of kind {role!r} in {component.name!r}"
            found.append(Finding("error", part, f"{role}: {wrong}", remedy))
    if found:
        return found
    motor, gear = motor_and_gear(chain, joint)
    if (motor is None) != (gear is None):
        missing, given = ("motor", "gear") if motor is None else ("gear", "motor")
        text = f"a {given} is named and no {missing}"
        return [Finding("warning", part, text, "the drive counts as ideal: name both or none")]
    if motor is None or gear is None:
        return []
    if not isinstance(joint, Revolute) and joint.pitch is None:
        return [
            Finding("error", part, "a linear joint with a motor has no pitch_mm", "give the way of a turn")
        ]
    return _suits(chain, part, joint, motor, gear)


def _suits(chain: Chain, part: str, joint: Joint, motor: Motor, gear: Gear) -> list[Finding]:
    found = []
    unit = "N m" if isinstance(joint, Revolute) else "N"
    effort = joint.torque if isinstance(joint, Revolute) else joint.force
    by_gear, by_motor = of_output(joint, gear.torque_peak), greatest_by_motor(joint, motor, gear)
    if by_gear > by_motor:
        text = (
            f"the gear is stronger than its motor: {joint.gear!r} bears {by_gear:.4g} {unit}, "
            f"{joint.motor!r} gives {by_motor:.4g} {unit} behind it"
        )
        found.append(Finding("warning", part, text, "a smaller gear is lighter, a stronger motor uses it"))
    if effort > by_gear * 1.001:
        text = f"it may give {effort:.4g} {unit}, its gear {joint.gear!r} bears {by_gear:.4g} {unit}"
        found.append(Finding("warning", part, text, "take a larger gear, or lower the joint's limit"))
    if effort > by_motor * 1.001:
        text = f"it may give {effort:.4g} {unit}, its motor reaches {by_motor:.4g} {unit}"
        found.append(Finding("warning", part, text, "take a stronger motor, or lower the joint's limit"))
    if joint.torque_sensor is not None:
        sensor = chain.database[joint.torque_sensor].torque_sensor
        if sensor is not None and effort > sensor.limit:
            text = f"it may give {effort:.4g} {unit}, its torque sensor measures up to {sensor.limit:.4g}"
            found.append(Finding("warning", part, text, "take a larger sensor"))
    return found


def _mass_findings(manipulator: Manipulator) -> list[Finding]:
    """Return the joints that have nothing to move: no mass matrix can be inverted then."""
    found = []
    chain = manipulator.chain
    for i, axis in enumerate(manipulator.axes):
        if not chain.masses[i + 1 :].any() and chain.armatures[i] == 0.0:
            text = "nothing behind this joint has a mass, and its drive no inertia"
            found.append(Finding("error", axis.name, text, "add a part with a mass, or an armature"))
    return found


def _unknown_continuous(chain: Chain, manipulator: Manipulator) -> list[Finding]:
    names = [
        axis.name
        for axis in manipulator.axes
        if axis.joint.continuous is None and None in motor_and_gear(chain, axis.joint)
    ]
    text = f"no continuous torque is known of {', '.join(names)}, nor motor and gear: the greatest counts"
    return [Finding("warning", "", text, "give continuous_n_m, or a drive")] if names else []


def _margin_findings(chain: Chain, joint: Joint, margin: Margin) -> list[Finding]:
    found = []
    if margin.margin < 0.0:
        asked, given = f"{margin.static:.4g}", f"{margin.continuous:.4g}"
        text = f"the arm alone asks for {asked} at rest, the drive gives {given} for ever"
        remedy = "take a stronger drive, or lighter parts behind it"
        found.append(Finding("warning", margin.joint, text, remedy))
    brake = None if joint.brake is None else chain.database[joint.brake].brake
    _, gear = motor_and_gear(chain, joint)
    if brake is not None and gear is not None:
        holds = of_output(joint, brake.torque * gear.ratio)
        if holds < margin.static:
            text = f"its brake holds {holds:.4g}, the arm alone asks for {margin.static:.4g} at rest"
            found.append(Finding("warning", margin.joint, text, "take a stronger brake"))
    return found
