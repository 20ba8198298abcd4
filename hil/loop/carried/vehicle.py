"""Who drives the vehicle: from the base's plan and where it is to the command that it is told. Pure."""

from drivers.base.command import BaseCommand as Commands
from hil.common.arrays import Array
from hil.common.freshness import is_fresh
from hil.configuration import Configuration
from hil.loop.carried.planned_base import PlannedBase
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, MOVING
from hil.messaging.base_messages import BasePlan, BaseState
from hil.messaging.messages import Mode

STATE_TIMEOUT_NS = 100_000_000  # a pose older than this is none


class Vehicle:
    """Follows plans of the base as long as the object floats, and brakes by itself otherwise."""

    def __init__(self, configuration: Configuration) -> None:
        base = configuration.base
        self._reaction = base.reaction
        self._timeout_ns = round(1e9 * configuration.interpolation.plan_timeout)
        self._planned, self._commands = PlannedBase(), Commands(base)

    @property
    def velocity(self) -> Array:
        """The last command, shape (3,)."""
        return self._commands.velocity

    def take(self, plan: BasePlan) -> None:
        """Follow another plan from now on."""
        self._planned.take(plan)

    def step(self, t_ns: int, dt: float, mode: Mode | None, state: BaseState | None) -> Array:
        """Return the command at `t_ns`, `dt` [s] after the one before: speeds in world, shape (3,).

        Every path that is not the expected one ends in the brake.

        Args:
            t_ns: now.
            dt: [s].
            mode: the supervisor's newest order.
            state: the vehicle's newest, as it was judged (`ToldPose`).
        """
        plan = self._planned.plan
        if mode is None or plan is None or state is None:
            return self._commands.brake(dt)
        ordered = mode.state in MOVING and is_fresh(t_ns, mode.t_ns, MODE_TIMEOUT_NS)
        known = state.valid and is_fresh(t_ns, state.t_ns, STATE_TIMEOUT_NS)
        if not (ordered and known and plan.epoch == mode.epoch):
            return self._commands.brake(dt)
        if not is_fresh(t_ns, plan.t_ns, self._timeout_ns):
            return self._commands.brake(dt)
        at = self._planned.at
        return self._commands.follow(at(state.t_ns), at(t_ns, self._reaction), state.pose, dt)
