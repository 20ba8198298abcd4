"""The states of a grasp, beside those of the run, and what leads from one to another. Pure.

FREE -> NEAR -> TOUCH -> GRASPED -> RELEASING -> FREE. Nothing is assumed: closed is what the partner
announces together with a grip force that its pads show. A partner that falls silent leaves the state as it
is; that all is held then is the supervision's matter.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

QUIET = 0.3  # [s] without a force end a touch, or a release
GRIPPED = 0.4  # share of the grip that both pads show at least in a grasp


class GraspState(StrEnum):
    """What lies between the two arms."""

    FREE = "FREE"  # nothing: pushes and contacts act as without a second arm
    NEAR = "NEAR"  # a pad is near the bar; the baseline is frozen as soon as there is one
    TOUCH = "TOUCH"  # something presses: every force beyond the baseline acts
    GRASPED = "GRASPED"  # the gripper is closed, and both pads press
    RELEASING = "RELEASING"  # it opens, or has lost the bar


ACTING = (GraspState.TOUCH, GraspState.GRASPED, GraspState.RELEASING)  # every force acts


@dataclass(frozen=True)
class Seen:
    """What a cycle shows.

    Attributes:
        gap: between bar and pad, as the partner tells [m].
        closed: the partner says that its gripper is closed.
        grip: the lesser of both pads' forces, as it tells [N].
        pads: the greater of them [N].
        force: that the first arm feels beyond the baseline [N]; 0 as long as there is none.
    """

    gap: float
    closed: bool
    grip: float
    pads: float
    force: float


@dataclass(frozen=True)
class GraspMachine:
    """The state; `quiet` is for how long nothing pressed [s]."""

    state: GraspState = GraspState.FREE
    quiet: float = 0.0

    def step(self, seen: Seen, near: float, touch: float, grip: float, dt: float) -> "GraspMachine":
        """Return the machine a cycle further on.

        Args:
            seen: in the cycle.
            near: gap below which the bar is near [m].
            touch: force from which on something presses [N].
            grip: of a closed gripper [N].
            dt: of the cycle [s].
        """
        presses = seen.force > touch or seen.pads > touch
        quiet = 0.0 if presses else self.quiet + dt
        held = seen.closed and seen.grip > GRIPPED * grip
        state = self.state
        if state is GraspState.FREE and seen.gap < near:
            state = GraspState.NEAR
        elif state is GraspState.NEAR and presses:
            state = GraspState.TOUCH
        elif state is GraspState.NEAR and seen.gap > 1.2 * near:
            state = GraspState.FREE
        elif state is GraspState.TOUCH and held:
            state = GraspState.GRASPED
        elif state is GraspState.TOUCH and quiet > QUIET:
            state = GraspState.NEAR
        elif state is GraspState.GRASPED and not held:
            state = GraspState.RELEASING
        elif state is GraspState.RELEASING and held:
            state = GraspState.GRASPED
        elif state is GraspState.RELEASING and quiet > QUIET:
            state = GraspState.FREE
        return replace(self, state=state, quiet=quiet)
