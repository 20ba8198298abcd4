"""What a design's task file may say: one class a table, one field a key, SI in the fields."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, ValidationError

from hil.common.arrays import Array, frozen_array
from hil.common.errors import ConfigurationError, DesignError
from hil.common.output_file import real
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.configuration.quantities import Quantity, Section
from sim.assembly.component_rules import body_faults
from sim.assembly.component_schema import ZERO, Body, Degrees3, Millimetres3, Name
from sim.assembly.database import SHIPPED

Kind = Literal["base", "link", "joint", "wrist", "unit", "tool"]
KINDS: tuple[Kind, ...] = ("base", "link", "joint", "wrist", "unit", "tool")


class Base(Section):
    """Where the arm stands in the task's frame."""

    position: Millimetres3 = ZERO
    rotvec: Degrees3 = ZERO


class Pose(Section):
    """A pose that the tip is to reach, in the task's frame."""

    name: str = ""
    position: Millimetres3
    rotvec: Degrees3 = ZERO
    free: Literal["none", "turn", "all"] = "none"  # turn: about the tip's z; all: any orientation
    position_tolerance: Annotated[float, Quantity("mm", gt=0.0, le=1000.0)] = 1e-4
    orientation_tolerance: Annotated[float, Quantity("deg", gt=0.0, le=180.0)] = float(np.radians(0.01))


class Payload(Section):
    """What the tip carries, in the tip's frame."""

    mass: Annotated[float, Quantity("kg", ge=0.0)] = 0.0
    centre: Millimetres3 = ZERO
    inertia: Annotated[Array, Quantity("kg_m2", length=6)] = frozen_array(np.zeros(6))


class Limits(Section):
    """What an arm must keep to."""

    mass: Annotated[float | None, Quantity("kg", gt=0.0)] = None  # of the arm without payload
    reach: Annotated[float | None, Quantity("mm", gt=0.0)] = None  # stretched, at most
    joints_min: int = Field(default=1, ge=1, le=16)
    joints_max: int = Field(default=7, ge=1, le=16)
    torque_margin: Annotated[float, Quantity(ge=0.0, lt=1.0)] = 0.0  # of the static torque, at least


class Motion(Section):
    """The nominal motion through the poses, from rest to rest between each two."""

    leg: Annotated[float, Quantity("s", gt=0.0, le=3600.0)] = 2.0  # longer where a joint would be too fast


class Weights(Section):
    """How much each criterion counts; 0: not at all."""

    mass: Annotated[float, Quantity(ge=0.0)] = 1.0
    torque: Annotated[float, Quantity(ge=0.0)] = 1.0
    manipulability: Annotated[float, Quantity(ge=0.0)] = 1.0
    power: Annotated[float, Quantity(ge=0.0)] = 1.0
    base_force: Annotated[float, Quantity(ge=0.0)] = 0.0
    base_moment: Annotated[float, Quantity(ge=0.0)] = 1.0
    joints: Annotated[float, Quantity(ge=0.0)] = 0.0


class Space(Section):
    """What arms may be made of."""

    folder: Path = SHIPPED  # of the components, relative to the task's folder
    components: tuple[str, ...] = ("*",)  # names, or patterns of them
    kinds: tuple[Kind, ...] = KINDS
    turns_deg: tuple[Annotated[float, Quantity(ge=-180.0, le=360.0)], ...] = (0.0, 90.0)  # of a part, to try
    end: str = ""  # type of the connector at the tip; empty: any, that of a tool where tools are allowed
    links_in_row: int = Field(default=1, ge=0, le=4)  # parts without joints between two joints
    candidates: int = Field(default=20_000, ge=1, le=10_000_000)  # at most; of a larger space as many by lot


class TaskFile(Section):
    """A task."""

    name: Name
    about: str = ""
    seed: int = Field(default=1, ge=0)
    gravity: Annotated[Array, Quantity(length=3)] = frozen_array([0.0, 0.0, -9.81])  # m/s2, task's frame
    length: Annotated[float, Quantity("mm", gt=0.0)] = 0.2  # by which angles count as distances
    base: Base = Base()
    poses: tuple[Pose, ...] = Field(min_length=1)
    payload: Payload = Payload()
    limits: Limits = Limits()
    motion: Motion = Motion()
    weights: Weights = Weights()
    space: Space = Space()


def load_task(path: Path) -> tuple[TaskFile, str]:
    """Return the task in `path`, its folder of components made absolute, and its text.

    Raises:
        DesignError: the file cannot be read, is no TOML, or breaks any rule; all are listed.
    """
    try:
        text = text_of(path)
        task = TaskFile.model_validate(table_of(text, path))
    except ConfigurationError as error:
        raise DesignError(str(error)) from None
    except ValidationError as error:
        raise DesignError("\n".join(f"{path}: {fault}" for fault in sentences(error, TaskFile))) from None
    if faults := _faults_of(task):
        raise DesignError("\n".join(f"{path}: {fault}" for fault in faults))
    folder = real(path.parent / task.space.folder)
    space = task.space.model_copy(update={"folder": folder})
    return task.model_copy(update={"space": space}), text


def _faults_of(task: TaskFile) -> list[str]:
    """Return the faults that no single key shows."""
    faults, limits = list[str](), task.limits
    if limits.joints_min > limits.joints_max:
        faults.append(
            f"limits.joints_min = {limits.joints_min} must be at most joints_max = {limits.joints_max}"
        )
    if not any(weight for _, weight in task.weights):
        faults.append("weights: all are 0; at least one criterion must count")
    if not task.space.turns_deg:
        faults.append("space.turns_deg is empty: it needs one angle or more, [0] for none")
    names = [pose.name for pose in task.poses if pose.name]
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.append(f"poses: {names.count(name)} of them have the name {name!r}; give each its own")
    p = task.payload
    body = Body.model_construct(mass=p.mass, centre=p.centre, inertia=p.inertia, shapes=())
    return faults + [f"payload.{fault}" for fault in body_faults(body)]
