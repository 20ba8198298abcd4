"""The line to a simulation in a process of its own: the page's server stays small, and waits for no command."""

import multiprocessing
import threading
from multiprocessing.connection import Connection
from typing import Any

from hil.common.errors import DrivingError
from hil.workbench.page.terms import Terms
from sim.assembly.chain import Chain

PATIENCE_S = 10.0  # for an answer of a running simulation
ENDING_S = 2.0


class Player:
    """A simulation that is asked; all of it may block, and is for threads."""

    def __init__(self, chain: Chain, terms: Terms) -> None:
        """Begin a simulation and wait until it runs: a first one compiles its kernels.

        Raises:
            DrivingError: the arm cannot be simulated, or not under these terms.
        """
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_perform, args=(theirs, chain, terms), daemon=True)
        self._process.start()
        theirs.close()
        self._lock = threading.Lock()
        self.first_facts = self._heard(None)

    def ask(self, name: str, *arguments: Any) -> Any:
        """Return the simulation's answer to a question.

        Raises:
            DrivingError: what was asked cannot be done, or the simulation has ended.
        """
        with self._lock:
            try:
                self._line.send((name, arguments))
            except OSError as error:
                raise DrivingError("the simulation has ended") from error
            return self._heard(PATIENCE_S)

    def end(self) -> None:
        """End the simulation."""
        self._line.close()
        self._process.join(ENDING_S)
        if self._process.is_alive():  # it compiles, or stands
            self._process.kill()
            self._process.join()

    def _heard(self, patience_s: float | None) -> Any:
        try:
            if not self._line.poll(patience_s):
                raise DrivingError(f"the simulation has said nothing for {patience_s:g} s")
            done, answer = self._line.recv()
        except (EOFError, OSError) as error:
            raise DrivingError("the simulation has ended") from error
        if not done:
            raise DrivingError(str(answer))
        return answer


def _perform(line: Connection, chain: Chain, terms: Terms) -> None:
    from hil.workbench.page.running import perform

    perform(line, chain, terms)
