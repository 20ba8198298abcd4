"""What a component's file may say: one class a table, one field a key, SI in the fields.

A component is a small chain itself: bodies from its input side to its output side, and the joints between
them. A link has one body, a joint two, a wrist three or four. Motors, gears, brakes and torque sensors have
none: joints name them.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section

ZERO = frozen_array([0.0, 0.0, 0.0])
Vector = Annotated[Array, Quantity(length=3)]
Millimetres3 = Annotated[Array, Quantity("mm", length=3)]
Degrees3 = Annotated[Array, Quantity("deg", length=3)]
Positive = Annotated[float, Quantity(gt=0.0)]
NAME = r"^[a-z0-9][a-z0-9._-]*$"
Name = Annotated[str, Field(pattern=NAME)]


class Connector(Section):
    """Where the next part, or the one before, is joined: its marker, and what fits.

    The marker's z points along the chain, out of an output and into the part at an input: of parts that are
    joined the two markers lie on one another, turned about z as asked.
    """

    gender: Literal["male", "female", "both"]
    type: str = Field(min_length=1)
    size: Annotated[float, Quantity("mm", gt=0.0)]
    position: Millimetres3 = ZERO  # of the marker in the frame of its body
    rotvec: Degrees3 = ZERO


class Shape(Section):
    """A solid that shows a body; it weighs nothing."""

    solid: Literal["box", "cylinder", "sphere", "capsule", "bend"]
    size: Millimetres3  # box: edges; cylinder, capsule: radius, length, 0; sphere: radius; bend: see `shapes`
    position: Millimetres3 = ZERO
    rotvec: Degrees3 = ZERO
    colour: Annotated[Array, Quantity(ge=0.0, le=1.0, length=3)] = frozen_array([0.75, 0.76, 0.78])


class Body(Section):
    """A rigid body."""

    mass: Annotated[float, Quantity("kg", ge=0.0)]
    centre: Millimetres3 = ZERO
    inertia: Annotated[Array, Quantity("kg_m2", length=6)]  # xx yy zz xy xz yz about the centre
    shapes: tuple[Shape, ...] = ()


class Revolute(Section):
    """A joint that turns."""

    type: Literal["revolute"]
    axis: Vector = frozen_array([0.0, 0.0, 1.0])
    position: Millimetres3 = ZERO  # of the joint's frame in the body before it, at zero
    rotvec: Degrees3 = ZERO
    lower: Annotated[float, Quantity("deg", ge=-720.0, le=720.0)]
    upper: Annotated[float, Quantity("deg", ge=-720.0, le=720.0)]
    speed: Annotated[float, Quantity("deg_s", gt=0.0)]
    torque: Annotated[float, Quantity("n_m", gt=0.0)]  # repeated peak
    continuous: Annotated[float | None, Quantity("n_m", gt=0.0)] = None
    armature: Annotated[float, Quantity("kg_m2", ge=0.0)] = 0.0  # where no motor is named
    motor: Name | None = None
    gear: Name | None = None
    brake: Name | None = None
    torque_sensor: Name | None = None


class Linear(Section):
    """A joint that slides."""

    type: Literal["linear"]
    axis: Vector = frozen_array([0.0, 0.0, 1.0])
    position: Millimetres3 = ZERO
    rotvec: Degrees3 = ZERO
    lower: Annotated[float, Quantity("mm", ge=-10_000.0, le=10_000.0)]
    upper: Annotated[float, Quantity("mm", ge=-10_000.0, le=10_000.0)]
    speed: Annotated[float, Quantity("mm_s", gt=0.0)]
    force: Annotated[float, Quantity("n", gt=0.0)]
    continuous: Annotated[float | None, Quantity("n", gt=0.0)] = None
    armature: Annotated[float, Quantity("kg", ge=0.0)] = 0.0
    pitch: Annotated[float | None, Quantity("mm", gt=0.0)] = None  # way of a turn of the gear's output
    motor: Name | None = None
    gear: Name | None = None
    brake: Name | None = None
    torque_sensor: Name | None = None


Joint = Annotated[Revolute | Linear, Field(discriminator="type")]


class Motor(Section):
    """A brushless motor: torque, winding, rotor, heat in two nodes."""

    torque_constant: Annotated[float, Quantity("n_m_per_a", gt=0.0)]
    resistance: Annotated[float, Quantity("ohm", gt=0.0)]
    inductance: Annotated[float, Quantity("mh", gt=0.0)]
    rotor_inertia: Annotated[float, Quantity("kg_m2", gt=0.0)]
    mass: Annotated[float, Quantity("kg", gt=0.0)]
    current: Annotated[float, Quantity("a", gt=0.0)]  # continuous
    torque_max: Annotated[float | None, Quantity("n_m", gt=0.0)] = None
    winding_resistance: Annotated[float, Quantity("k_per_w", gt=0.0)]  # winding to housing
    housing_resistance: Annotated[float, Quantity("k_per_w", gt=0.0)]  # housing to ambient
    winding_capacity: Annotated[float, Quantity("j_per_k", gt=0.0)]
    housing_capacity: Annotated[float, Quantity("j_per_k", gt=0.0)]
    winding_limit: Annotated[float, Quantity("k", gt=0.0)] = 95.0  # above ambient
    thermal_class: str = "F"
    coulomb: Annotated[float, Quantity("n_m", ge=0.0)] = 0.0
    viscous: Annotated[float, Quantity("n_m_s_per_rad", ge=0.0)] = 0.0


class Gear(Section):
    """A gear, on the output's side; elastic, its stiffness in three lines of the torque, or rigid.

    `stiffness` and `torque_limits` belong together: K1 up to T1, K2 up to T2, K3 above. Without them the
    gear is rigid.
    """

    ratio: Annotated[float, Quantity(ge=1.0, le=10_000.0)]
    stiffness: Annotated[Array | None, Quantity("n_m_per_rad", gt=0.0, length=3)] = None  # K1, K2, K3
    torque_limits: Annotated[Array | None, Quantity("n_m", gt=0.0, length=2)] = None  # T1, T2
    damping: Annotated[float, Quantity("n_m_s_per_rad", ge=0.0)] = 0.0  # beside the spring
    efficiency: Annotated[float, Quantity(gt=0.0, le=1.0)]
    coulomb: Annotated[float, Quantity("n_m", ge=0.0)] = 0.0
    stick: Annotated[float, Quantity("n_m", ge=0.0)] = 0.0  # breaks away above it; counts above coulomb
    viscous: Annotated[float, Quantity("n_m_s_per_rad", ge=0.0)] = 0.0
    backlash: Annotated[float, Quantity("arcmin", ge=0.0, le=600.0)] = 0.0
    inertia: Annotated[float, Quantity("kg_m2", ge=0.0)] = 0.0  # on the motor's side
    torque_peak: Annotated[float, Quantity("n_m", gt=0.0)]  # repeated
    torque_average: Annotated[float | None, Quantity("n_m", gt=0.0)] = None
    mass: Annotated[float, Quantity("kg", ge=0.0)] = 0.0


class Brake(Section):
    """A brake that holds without power."""

    torque: Annotated[float, Quantity("n_m", gt=0.0)]  # on the motor's side
    closing_time: Annotated[float, Quantity("ms", ge=0.0, le=1000.0)] = 0.03
    mass: Annotated[float, Quantity("kg", ge=0.0)] = 0.0


class TorqueSensor(Section):
    """A spring in series with the gear, whose twist is the torque."""

    stiffness: Annotated[float, Quantity("n_m_per_rad", gt=0.0)]
    limit: Annotated[float, Quantity("n_m", gt=0.0)]
    noise: Annotated[float, Quantity("n_m", ge=0.0)] = 0.0
    mass: Annotated[float, Quantity("kg", ge=0.0)] = 0.0


class ComponentSource(Section):
    """A file or folder beside an assembly whose components join the database."""

    file: str = Field(min_length=1)
    # of a URDF: its connectors as in a component's file, and the link that is its tip
    input: dict[str, Any] | None = None
    output: dict[str, Any] | None = None
    tip: str = ""


class ComponentFile(Section):
    """A component: kinematic parts have bodies, drive parts a table of their own."""

    name: Name
    kind: Literal["link", "joint", "wrist", "base", "tool", "unit", "motor", "gear", "brake", "torque_sensor"]
    text: str = ""
    source: str = Field(min_length=1)  # of every value that is not assumed
    assumed: tuple[str, ...] = ()  # keys whose value is an assumption; "all": every one
    input: Connector | None = None  # on the first body; a base has none, a unit on the ground neither
    output: Connector | None = None  # on the last body; a tool has one where it works
    inertia_as_published: bool = False  # let through though no body has it; the checks tell
    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    motor: Motor | None = None
    gear: Gear | None = None
    brake: Brake | None = None
    torque_sensor: TorqueSensor | None = None
