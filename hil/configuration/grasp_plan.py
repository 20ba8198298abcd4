"""What a second arm does: a file of phases, each with a way of its tip."""

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from hil.common.arrays import Array, frozen_array, plain_numbers
from hil.common.errors import ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.kinds import Degrees3, Millimetres3

PHASES = ("approach", "touch", "close", "hold", "drag", "release")
CLOSED = ("close", "hold", "drag")  # phases in which the gripper is to be closed
FASTEST = 1.875  # of a way's mean speed, of the quintic from rest to rest


class PlanPhase(Section):
    """A way of the tip, from rest to rest in the frame that it is told in."""

    phase: Literal["approach", "touch", "close", "hold", "drag", "release"]
    """What it is for; they come in this order, some of them may be left out."""
    frame: Literal["object", "world"]
    """In which its place is told, and with which the tip moves."""
    place: Millimetres3 = frozen_array([0.0, 0.0, 0.0])
    """Where it ends. In `object`: from the place of a grasp in the bar's middle, in the tool's axes there.
    In `world`: from where the phase began, in the world's axes."""
    turned: Degrees3 = frozen_array([0.0, 0.0, 0.0])
    """By which rotation vector, from the attitude of a grasp or from that of the phase's beginning."""
    wait: Annotated[float, Quantity("s", ge=0.0, le=600.0)] = 0.0
    """Before the way begins."""
    duration: Annotated[float, Quantity("s", gt=0.0, le=600.0)]
    """Of the way."""


class GraspPlan(Section):
    """Phases of a grasp, and how fast the tip may be."""

    start: Millimetres3
    """Where the tip begins: from the place of a grasp, in the tool's axes there."""
    speed: Annotated[float, Quantity("mm_s", gt=0.0, le=250.0)]
    """Of the tip at most, beside the object's own."""
    approach_speed: Annotated[float, Quantity("mm_s", gt=0.0, le=30.0)] = 0.03
    """The same as long as the gripper is open and the bar near."""
    turning: Annotated[float, Quantity("deg_s", gt=0.0, le=90.0)]
    """Spin of the tip at most, beside the object's own."""
    brake: Annotated[float, Quantity("s", ge=0.1, le=10.0)] = 1.0
    """In which the tip gives up the object's motion when a phase is told in the world."""
    phase: tuple[PlanPhase, ...] = Field(min_length=1)

    @property
    def duration(self) -> float:
        """Of all phases together [s]."""
        return sum(phase.wait + phase.duration for phase in self.phase)


def load_plan(path: Path) -> GraspPlan:
    """Return the plan in a file.

    Raises:
        ConfigurationError: it cannot be read, is no TOML, or breaks a rule; all are listed.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        plan = GraspPlan.model_validate(data)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise ConfigurationError(
            "\n".join(f"{path}: {fault}" for fault in sentences(error, GraspPlan))
        ) from None
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: is no TOML: {error}") from error
    if faults := _faults(plan):
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in faults))
    return plan


def _faults(plan: GraspPlan) -> list[str]:
    """Return what no single key of a plan shows."""
    names = [phase.phase for phase in plan.phase]
    order = [PHASES.index(name) for name in names]
    if any(b <= a for a, b in pairwise(order)):
        return [f"phase: {', '.join(names)} do not come in the order {', '.join(PHASES)}, each once at most"]
    if "close" in names and names[-1] != "release":
        return ["phase: a plan that closes the gripper must end with 'release': nobody else opens it"]
    faults, place = [], plan.start
    for index, phase in enumerate(plan.phase):
        begin = place if phase.frame == "object" else frozen_array([0.0, 0.0, 0.0])
        way = float(sum((phase.place - begin) ** 2) ** 0.5)
        most = plan.approach_speed if phase.phase in ("touch", "close") else plan.speed
        if FASTEST * way / phase.duration > most * (1.0 + 1e-9):
            faults.append(
                f"phase[{index}].duration_s = {phase.duration:g} is too short for {1e3 * way:.1f} mm at "
                f"{1e3 * most:g} mm/s: at least {FASTEST * way / most:.2f} s"
            )
        turn = float(sum(phase.turned**2) ** 0.5)
        if FASTEST * turn / phase.duration > plan.turning * (1.0 + 1e-9):
            faults.append(
                f"phase[{index}].duration_s = {phase.duration:g} is too short for its turn: at least "
                f"{FASTEST * turn / plan.turning:.2f} s by turning_deg_s"
            )
        if phase.frame == "object":
            place = phase.place
    return faults


def told_place(place: Array) -> str:
    """Return a place [m] in words."""
    return f"{plain_numbers((1e3 * place).round(1))} mm"
