"""The run's clock where one process makes the time: it stands at the cycle that was reached."""

from pathlib import Path

from hil.common.run_clock import SharedClock


class PacedClock(SharedClock):
    """Virtual time, for the page and for commands beside the run."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, new=True)
        self._given_up_ns = 0

    def reached(self, t_ns: int, offset_ns: int, given_up_ns: int) -> None:
        """The loop has come to `t_ns`, see `Pace` for the rest."""
        self._given_up_ns = given_up_ns
        self.release(offset_ns, t_ns)

    @property
    def waited_ns(self) -> int:
        """For how long virtual time has stood because the machine was busy."""
        return self._given_up_ns
