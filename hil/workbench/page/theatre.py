"""Simulation for all pages: at most one at a time, begun and ended by any of them, shown to all."""

import asyncio
from typing import Any, TypeVar

from pydantic import ValidationError

from hil.common.errors import WorkbenchError
from hil.configuration.quantities import Section
from hil.workbench.edits import Refusal
from hil.workbench.page.hall import Hall
from hil.workbench.page.terms import Choice, Input, Setting, Terms
from hil.workbench.page.worker import Worker
from sim.assembly.chain import Chain

Asked = TypeVar("Asked", bound=Section)
SHOWN_S = 1.0 / 30.0  # between two pictures
ASKED: dict[str, tuple[str, type[Section]]] = {
    "input": ("listen", Input),
    "set": ("set_parameter", Setting),
    "choose": ("choose", Choice),
}
DEEDS = ("simulate", "rest", *ASKED)
SPOT = "simulate"
PATIENCE_S = 10.0  # for an answer of a running simulation


class Theatre:
    """Where the simulation is, if there is one."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._worker: Worker | None = None
        self._preparing: Worker | None = None
        self._telling: asyncio.Task[None] | None = None

    async def facts(self) -> dict[str, Any] | None:
        """Return what a page that comes now must know; None: there is no simulation."""
        worker = self._worker
        return None if worker is None else dict(await asyncio.to_thread(worker.ask, "facts"))

    async def obey(self, chain: Chain, told: dict[str, Any]) -> str:
        """Do what a page asks of the simulation and return what is said to it.

        Raises:
            WorkbenchError: it cannot be done.
            Refusal: neither can this, or it is not said as it should be.
        """
        if told["do"] == "simulate":
            await self._begin(chain, told)
            return ""
        if told["do"] == "rest":
            await self.end("")
            return ""
        if self._worker is None:
            raise Refusal("there is no simulation: begin one", SPOT)
        name, kind = ASKED[told["do"]]
        arguments = [value for _, value in understood(kind, told)]
        said = await asyncio.to_thread(self._worker.ask, name, *arguments)
        if told["do"] != "input":
            await self._hall.tell({"begun": await self.facts()})
        return said or ""

    async def jog(self, axes: Any) -> None:
        """Carry a page's hand to the simulation."""
        if self._worker is not None:
            await asyncio.to_thread(self._worker.ask, "jog", axes, patience_s=PATIENCE_S)

    async def end(self, why: str) -> None:
        """End the simulation, if there is one; pages are told why."""
        if self._preparing is not None:
            await asyncio.to_thread(self._preparing.end)
        worker, self._worker = self._worker, None
        if worker is None:
            return
        if self._telling is not None:
            self._telling.cancel()
        await asyncio.to_thread(worker.end)
        await self._hall.tell({"ended": why})

    async def _begin(self, chain: Chain, told: dict[str, Any]) -> None:
        terms = understood(Terms, told)
        if self._preparing is not None:
            raise Refusal("a simulation is being prepared already", SPOT)
        await self.end("")
        worker = Worker("the simulation", "hil.workbench.page.running", "perform", chain, terms)
        self._preparing = worker
        try:
            begun = await asyncio.to_thread(worker.hear)  # a first one compiles its kernels
        except WorkbenchError:
            await asyncio.to_thread(worker.end)
            raise
        finally:
            self._preparing = None
        self._worker = worker
        await self._hall.tell({"begun": begun})
        self._telling = asyncio.ensure_future(self._tell(worker))

    async def _tell(self, worker: Worker) -> None:
        while worker is self._worker:
            await asyncio.sleep(SHOWN_S)
            try:
                news = await asyncio.to_thread(worker.ask, "drain", patience_s=PATIENCE_S)
            except WorkbenchError as error:
                self._worker = None
                await asyncio.to_thread(worker.end)
                return await self._hall.tell({"ended": str(error)})
            await self._hall.tell({"frame": news})


def understood(kind: type[Asked], told: dict[str, Any]) -> Asked:
    """Return what a page asks for, beside the deed itself.

    Raises:
        Refusal: it is not said as it should be; the first fault is named.
    """
    try:
        return kind.model_validate({key: value for key, value in told.items() if key != "do"})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"]))
        raise Refusal(f"{key} = {first.get('input')!r}: {first['msg']}", SPOT) from None
