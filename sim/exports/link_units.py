"""What a link unit is made of: output side of the joint before, structure, input side of the next joint.

source: Krenn et al., "render files of the robot link units".
"""

from sim.assembly.manipulator import Manipulator, PlacedBody

OUTPUT_SIDE, STRUCTURE, INPUT_SIDE = "output_side", "structure", "input_side"


def sides_of(manipulator: Manipulator, i: int) -> dict[str, tuple[PlacedBody, ...]]:
    """Return the bodies of link unit i by side, in this order; sides without bodies are left out.

    A unit that is one body between two joints, as in a wrist, is structure.
    """
    unit = manipulator.units[i]
    first = 1 if i > 0 and len(unit) > 1 else 0
    last = len(unit) - 1 if i < len(manipulator.axes) and len(unit) > 1 else len(unit)
    sides = {OUTPUT_SIDE: unit[:first], STRUCTURE: unit[first:last], INPUT_SIDE: unit[last:]}
    return {side: bodies for side, bodies in sides.items() if bodies}
