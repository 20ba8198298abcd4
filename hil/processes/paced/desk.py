"""The operators' desk of a paced run: the same one, but pushes and disturbances go to the loop at hand."""

from collections.abc import Callable

from hil.common.errors import OperatorError
from hil.common.run_clock import RunClock
from hil.configuration import Configuration
from hil.loop.judging.judge import Judge
from hil.messaging.bus import Bus
from hil.messaging.codec import Message
from hil.messaging.messages import Disturbance, Push, Request
from hil.processes.supervisor.operator_desk import OperatorDesk

LOOKS = ("status",)  # what changes nothing
LINK = ("loss", "duplicates", "reorder", "delay", "silence")  # of a disturbance what only a link can do


class PacedDesk(OperatorDesk):
    """Answers operators.

    Attributes:
        interfered: one has done something: the run is no longer that of its configuration alone.
    """

    def __init__(
        self,
        bus: Bus,
        configuration: Configuration,
        clock: RunClock,
        ask: Callable[[Push | Disturbance], None],
    ) -> None:
        super().__init__(bus, configuration, _no_reload, None, clock)
        self.interfered = False
        self._pushes, self._disturbances = _Hand(ask), _Hand(ask)

    def _obey(self, judge: Judge, request: Request) -> str:
        text = super()._obey(judge, request)
        self.interfered |= request.verb not in LOOKS
        return text


class _Hand:
    """Hands on what the desk sends."""

    def __init__(self, ask: Callable[[Push | Disturbance], None]) -> None:
        self._ask = ask

    def send(self, msg: Message) -> None:
        """Hand it on.

        Raises:
            OperatorError: a paced run cannot do it.
        """
        assert isinstance(msg, Push | Disturbance)
        if isinstance(msg, Disturbance) and any(getattr(msg, name) for name in LINK):
            raise OperatorError(
                "disturb: a paced run has no link between robot and driver, so nothing is lost, late or "
                "twice on it; run it live (without --paced) for that"
            )
        self._ask(msg)


def _no_reload() -> None:
    raise OperatorError("reload is refused in a paced run: end it and start it anew")
