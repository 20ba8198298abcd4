"""What surrounds an emulated controller: who pushes and disturbs it, looks on, and ends it."""

from drivers.emulation.controller.controller import EmulatedController
from hil.messaging.grasp_messages import SecondInputs
from hil.messaging.messages import Disturbance, EmulatorInputs, Push, Wait


class Surroundings:
    """Nobody there, for ever; who is there says so by methods of their own. None may wait.

    Attributes:
        operator_rests: whether the configured operator pushes only while `floats` says so.
        tells_why: whether it tells itself why the controller falls back.
    """

    operator_rests = tells_why = False

    def over(self) -> bool:
        """Return whether to end; asked once a cycle."""
        return False

    def ready(self, controller: EmulatedController) -> None:
        """All is compiled, and the first packet about to leave."""

    def pushes(self) -> list[Push]:
        """Return the pushes asked for since the last cycle."""
        return []

    def disturbances(self) -> list[Disturbance]:
        """Return what is to go wrong from now on."""
        return []

    def floats(self) -> bool:
        """Return whether the object floats; asked once a cycle."""
        return False

    def cycle(self, controller: EmulatedController, sent_ns: int, answered_ns: int) -> None:
        """A cycle is over, and the arm not advanced yet; when its packet was sent, its answer came [ns]."""

    def consumed(self, block: EmulatorInputs) -> None:
        """What the controller has consumed, in blocks."""

    def second_consumed(self, block: SecondInputs) -> None:
        """What a second arm's controller has consumed, in blocks."""

    def waited(self, wait: Wait) -> None:
        """A patient emulation has waited."""
