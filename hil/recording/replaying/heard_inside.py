"""A recording's states of bodies inside, turn by turn, as the driver's core was given them."""

from hil.messaging.inside_messages import InsideState, InsideTaken
from hil.recording.replaying.source import Source


class HeardInside:
    """Hands out the states in the order in which they were taken."""

    def __init__(self, source: Source) -> None:
        self._states = source.instants("/inside_state", InsideState)
        self._taken = source.all_of("/inside_taken", InsideTaken)
        self._next = next(self._taken, None)
        self._process: int | None = None  # whose core is followed

    def before(self, process: int, taken: int) -> list[InsideState | None]:
        """Return the states given to a core until it had taken so many samples; None for one that is lost.

        Args:
            process: whose core; what is left of another one before it is passed over.
            taken: samples.
        """
        if process != self._process:
            self._process = process
            while self._next is not None and self._next.process != process:
                self._next = next(self._taken, None)
        given = []
        while self._next is not None and self._next.process == process and self._next.taken <= taken:
            given.append(self._states.at(self._next.state_ns))
            self._next = next(self._taken, None)
        return given
