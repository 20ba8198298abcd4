"""What operators may say with a request: each is checked before anything is done."""

import json
import math
from typing import Annotated, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.loop.approach.caps import DEFAULT_SPEED_DEG_S, JOINT_SPEED
from hil.messaging.messages import Push
from hil.wrench.detector.thresholds import PushThresholds

MAX_PUSH_N = 200.0
MAX_PUSH_S = 10.0
Asked = TypeVar("Asked", bound="_Asked")


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


# a lever of kilometres is a slip of the hand: its torque would throw the object out of all numbers
Place = Annotated[float, Field(ge=-1e4, le=1e4)]


class _Push(_Asked):
    force_n: tuple[float, float, float]
    duration_ms: float = Field(ge=5.0, le=1e3 * MAX_PUSH_S)
    at_mm: tuple[Place, Place, Place] = (0.0, 0.0, 0.0)


# bounds also where no stops certify a speed: a number beyond them is a slip of the hand
Speed = Annotated[float, Field(ge=-1e3, le=1e3)]
Spin = Annotated[float, Field(ge=-360.0, le=360.0)]


class _Motion(_Asked):
    velocity_mm_s: tuple[Speed, Speed, Speed] = (0.0, 0.0, 0.0)
    spin_deg_s: tuple[Spin, Spin, Spin] = (0.0, 0.0, 0.0)


class _Approach(_Asked):
    speed_deg_s: float = Field(default=DEFAULT_SPEED_DEG_S, gt=0.0, le=round(math.degrees(JOINT_SPEED), 9))


class _Beat(_Asked):
    session: int
    number: int
    released: bool = False


class _Thresholds(_Asked):
    start_sigma: float | None = Field(default=None, ge=3.0, le=50.0)
    floor_n_per_s: float | None = Field(default=None, ge=0.0, le=1e5)
    level_floor_n: float | None = Field(default=None, ge=0.0, le=MAX_PUSH_N)


def push_from(arguments: str, t_ns: int) -> Push:
    """Return the push that an operator asks for at `t_ns`.

    Raises:
        OperatorError: it is no push, or too strong.
    """
    asked = _checked("push", _Push, arguments)
    force = math.hypot(*asked.force_n)
    if force > MAX_PUSH_N:
        raise OperatorError(f"push: force {force:.4g} N must be at most {MAX_PUSH_N:.0f} N")
    return Push(t_ns, np.array(asked.force_n), asked.duration_ms * 1e-3, np.array(asked.at_mm) * 1e-3)


def motion_from(arguments: str, caps: Array) -> tuple[float, ...]:
    """Return the twist with which floating is to begin, world axes [m/s, rad/s]; empty: as configured.

    Args:
        arguments: of the request.
        caps: the certified speed and spin [m/s, rad/s], shape (2,).

    Raises:
        OperatorError: it is no motion, or beyond the certified speed.
    """
    if arguments.strip() in ("", "{}"):
        return ()
    asked = _checked("float", _Motion, arguments)
    velocity = np.array(asked.velocity_mm_s) * 1e-3
    spin = np.radians(asked.spin_deg_s)
    speed, rate = float(np.linalg.norm(velocity)), float(np.linalg.norm(spin))
    if speed > caps[0]:
        raise OperatorError(
            f"float: {1e3 * speed:.4g} mm/s must be at most {1e3 * caps[0]:.4g} mm/s (stops.max_speed_mm_s)"
        )
    if rate > caps[1]:
        raise OperatorError(
            f"float: {math.degrees(rate):.4g} deg/s must be at most {math.degrees(caps[1]):.4g} deg/s "
            "(stops.max_spin_deg_s)"
        )
    return (*velocity.tolist(), *spin.tolist())


def approach_from(arguments: str) -> float:
    """Return the speed of the fastest joint with which the arm shall be brought to its start pose [rad/s].

    Raises:
        OperatorError: it is none, or too fast.
    """
    return math.radians(_checked("approach", _Approach, arguments or "{}").speed_deg_s)


def beat_from(arguments: str, sent_ns: int) -> str:
    """Return a hand's heartbeat that was sent at `sent_ns` (our clock), as the judge takes it.

    Raises:
        OperatorError: it is none.
    """
    asked = _checked("beat", _Beat, arguments)
    return json.dumps([asked.session, asked.number, sent_ns, asked.released])


def thresholds_from(arguments: str, now: PushThresholds) -> PushThresholds:
    """Return the thresholds with what an operator changes of them.

    Raises:
        OperatorError: a value is none, unknown or out of bounds.
    """
    asked = _checked("thresholds", _Thresholds, arguments)
    new = [asked.start_sigma, asked.floor_n_per_s, asked.level_floor_n]
    old = [now.start_sigma, now.floor, now.level_floor]
    return PushThresholds(*(b if a is None else a for a, b in zip(new, old, strict=True)))


def _checked(verb: str, kind: type[Asked], arguments: str) -> Asked:
    try:
        return kind.model_validate_json(arguments)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "arguments"
        raise OperatorError(f"{verb}: {where}: {first['msg']}") from error
