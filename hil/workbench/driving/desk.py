"""What an outside program, or a page, may ask of a session: its variables, its parameters, a change. Pure."""

import json

from hil.common.errors import ZeroGError
from hil.messaging.drive_messages import DriveState
from hil.messaging.messages import Reply, Request
from hil.workbench.driving.drive_recorder import seven
from hil.workbench.driving.session import DriveSession


def answer(session: DriveSession, request: Request) -> Reply:
    """Return the answer to a request: `variables`, `parameters`, or `set` with names and values."""
    if request.verb == "variables":
        return _told(request, session.variables())
    if request.verb == "parameters":
        return _told(request, session.parameters())
    if request.verb != "set":
        known = "variables, parameters, set"
        return Reply(request.t_ns, False, f"{request.verb!r} is no request to a drive: {known}", "{}")
    try:
        wanted = {str(name): float(value) for name, value in json.loads(request.arguments).items()}
        for name, value in wanted.items():
            session.set_parameter(name, value)
    except ZeroGError as error:
        return Reply(request.t_ns, False, str(error), "{}")
    except (ValueError, TypeError, AttributeError) as error:
        return Reply(request.t_ns, False, f"set needs names and numbers, as JSON: {error}", "{}")
    return _told(request, {name: session.parameters()[name] for name in wanted})


def _told(request: Request, values: dict[str, float]) -> Reply:
    return Reply(request.t_ns, True, f"{len(values)} values", json.dumps(values))


def state_of(session: DriveSession, t_ns: int) -> DriveState:
    """Return the session's state as a message; `t_ns` is now."""
    arm = session.arm
    return DriveState(
        t_ns,
        session.t,
        session.lost,
        session.solved.reachable,
        arm.q,
        arm.dq,
        arm.torque,
        seven(arm.T_base_tip),
        seven(session.follower.T),
        session.wrench,
        arm.base_wrench,
    )
