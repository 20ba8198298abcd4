"""What is said of bodies inside the object in lock-step: orders to joints, states, who has heard of them."""

from collections.abc import Callable

from hil.loop.driver.core import DriverCore
from hil.loop.inside_log import inside_turn
from hil.loop.trace.cycle_rows import CycleRows
from hil.messaging.codec import Message, over_the_wire
from hil.messaging.inside_messages import InsideJoints, InsideState, InsideTaken


class LockStepInside:
    """Carries orders to the simulation's next turn, and its states to the driver's."""

    def __init__(self, tell: Callable[[str, Message], None]) -> None:
        """Let a listener be told of every message, with its topic."""
        self._tell = tell
        self._orders: list[InsideJoints] = []
        self._coming: InsideState | None = None  # that the driver has not heard yet
        self._seen: InsideState | None = None  # of this turn

    def order(self, order: InsideJoints) -> None:
        """Let the simulation hear an order to joints inside, in its next turn."""
        self._orders.append(over_the_wire(order))

    def orders(self, t_ns: int) -> list[InsideJoints]:
        """Return the orders that the simulation takes at `t_ns`."""
        orders, self._orders = self._orders, []
        if orders:
            self._tell("inside_turn", inside_turn(t_ns, 0, orders))
        return orders

    def told(self, state: InsideState | None) -> None:
        """Take what the simulation has said in its turn, if anything."""
        self._seen = state
        if state is not None:
            self._tell("inside_state", state)
            self._coming = over_the_wire(state)

    def let_hear(self, driver: DriverCore, t_ns: int, taken: int) -> None:
        """Let the driver hear of the newest state, when it has taken so many samples."""
        state, self._coming = self._coming, None
        if state is not None:
            driver.hear_inside(state)
            self._tell("inside_taken", InsideTaken(t_ns, 0, taken, state.t_ns))

    def let_see(self, rows: CycleRows) -> None:
        """Give a trace what was said in this turn, once."""
        if self._seen is not None:
            rows.inside(self._seen)
            self._seen = None
