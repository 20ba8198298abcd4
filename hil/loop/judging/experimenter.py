"""A series of push experiments: after each push the arm is stopped and the object floats anew."""

from hil.common.clock import nanoseconds
from hil.configuration import Configuration
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import ImpulseSlice


class Experimenter:
    """Does what an operator would do between experiments; without the table it does nothing."""

    def __init__(self, configuration: Configuration) -> None:
        experiments = configuration.experiments
        self._after_ns = None if experiments is None else nanoseconds(experiments.after)
        self._due_ns: int | None = None
        self.waiting = False  # the arm was stopped by us and may float as soon as it is READY

    def hear(self, item: ImpulseSlice) -> None:
        """Take note of a push that has ended."""
        if self._after_ns is not None and item.ended:
            self._due_ns = item.t_end_ns + self._after_ns

    def step(self, t_ns: int, machine: Machine, moving: bool) -> Machine:
        """Return the machine, stopped or made ready again when the time has come.

        Args:
            t_ns: now.
            machine: the state machine.
            moving: whether the arm still moves.
        """
        if machine.moving:
            self.waiting = False
            if self._due_ns is not None and t_ns >= self._due_ns:
                self._due_ns, self.waiting = None, True
                return machine.stop("the experiment is over")
        elif self.waiting and machine.state is State.STOPPED and not moving:
            return machine.reset().health("")
        elif machine.state is State.FAULT:
            self.waiting = False
        return machine
