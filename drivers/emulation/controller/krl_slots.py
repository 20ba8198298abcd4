"""What the emulated controller does with the client's KRL integers and reals: it reads and echoes them.

Which slot asks for what is the business of the program on a real controller. Here the first integer and the
sixteenth do, as programs in use have it: 10 asks for command mode, 20 for the end of it.
"""

from drivers.fri.codec import NO_INTS, NO_REALS, CommandDatagram, MonitorDatagram
from drivers.fri.layout import KRL_START, KRL_STOP

ASKING = 0, 15  # slots, counted from 0


class KrlSlots:
    """The client's slots as they came last.

    Attributes:
        starts: the client asks for command mode.
        stops: it asks for the end of it, which counts more.
    """

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._ints, self._reals, self._bools = NO_INTS, NO_REALS, 0
        self.starts = self.stops = False

    def take(self, command: CommandDatagram) -> None:
        """Read the slots of a command."""
        self._ints, self._reals, self._bools = command.krl_int, command.krl_real, command.krl_bool
        asked = [self._ints[slot] for slot in ASKING]
        self.starts, self.stops = KRL_START in asked, KRL_STOP in asked

    def echo_into(self, message: MonitorDatagram) -> None:
        """Write them to the controller's own slots."""
        message.krl_int, message.krl_real, message.krl_bool = self._ints, self._reals, self._bools
