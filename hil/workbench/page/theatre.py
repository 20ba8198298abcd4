"""Simulation for all pages: at most one at a time, begun and ended by any of them, its pictures told to all."""

import asyncio
from typing import Any, Literal

from pydantic import ValidationError

from hil.common.errors import ZeroGError
from hil.configuration.quantities import Section
from hil.workbench.edits import Refusal
from hil.workbench.page.hall import Hall
from hil.workbench.page.running import SHOWN_S, Running, Terms
from sim.assembly.chain import Chain


class Wanted(Section):
    """The terms of a simulation, as a page says them."""

    inverse: Literal["passive-chain", "lagrange"] = "passive-chain"
    weightless: bool = False
    free: bool = False


class Theatre:
    """Where the simulation is, if there is one."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._running: Running | None = None
        self._telling: asyncio.Task[None] | None = None
        self._busy = asyncio.Lock()

    def facts(self) -> dict[str, Any] | None:
        """Return what a page that comes now must know; None: there is no simulation."""
        return None if self._running is None else self._running.facts()

    async def obey(self, chain: Chain, told: dict[str, Any]) -> str:
        """Do what a page asks of the simulation and return what is said to it.

        Raises:
            ZeroGError: it cannot be done.
            ValueError: it is no such thing.
        """
        deed = told["do"]
        if deed == "simulate":
            return await self._begin(chain, told)
        if deed == "rest":
            await self.end("")
            return ""
        running = self._running
        if running is None:
            raise Refusal("there is no simulation: begin one", "simulate")
        if deed == "input":
            return await asyncio.to_thread(running.listen, str(told["name"]))
        if deed == "set":
            said = await asyncio.to_thread(running.set_parameter, str(told["name"]), float(told["value"]))
        elif deed == "choose":
            await asyncio.to_thread(running.choose, [str(name) for name in told["names"]])
            said = ""
        else:
            raise Refusal(f"{deed!r} is no deed")
        await self._hall.tell({"begun": running.facts()})
        return said

    def jog(self, axes: Any) -> None:
        """Carry a page's hand to the simulation.

        Raises:
            ValueError: it is no six numbers.
        """
        if self._running is not None:
            self._running.jog(axes)

    async def end(self, why: str) -> None:
        """End the simulation, if there is one; pages are told why."""
        running, self._running = self._running, None
        if running is None:
            return
        if self._telling is not None:
            self._telling.cancel()
        await asyncio.to_thread(running.end)
        await self._hall.tell({"ended": why})

    async def _begin(self, chain: Chain, told: dict[str, Any]) -> str:
        try:
            wanted = Wanted.model_validate({key: value for key, value in told.items() if key != "do"})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise Refusal(f"{first['loc'][-1]} = {first.get('input')!r}: {first['msg']}", "simulate") from None
        if self._busy.locked():
            raise Refusal("the simulation is being prepared already", "simulate")
        async with self._busy:
            await self.end("")
            terms = Terms(wanted.inverse, wanted.weightless, wanted.free)
            self._running = await asyncio.to_thread(Running, chain, terms)
        await self._hall.tell({"begun": self._running.facts()})
        self._telling = asyncio.ensure_future(self._tell(self._running))
        return ""

    async def _tell(self, running: Running) -> None:
        while True:
            await asyncio.sleep(SHOWN_S)
            try:
                news = await asyncio.to_thread(running.drain)
            except ZeroGError as error:
                self._running = None
                return await self._hall.tell({"ended": str(error)})
            await self._hall.tell({"frame": news})
