"""Simulation for all pages: at most one at a time, begun and ended by any of them, its pictures told to all."""

import asyncio
from typing import Any

from pydantic import ValidationError

from hil.common.errors import DrivingError
from hil.workbench.edits import Refusal
from hil.workbench.page.hall import Hall
from hil.workbench.page.player import Player
from hil.workbench.page.terms import Terms
from sim.assembly.chain import Chain

SHOWN_S = 1.0 / 30.0  # between two pictures
ASKED = {
    "input": ("listen", "name"),
    "set": ("set_parameter", "name", "value"),
    "choose": ("choose", "names"),
}
DEEDS = ("simulate", "rest", *ASKED)
SPOT = "simulate"


class Theatre:
    """Where the simulation is, if there is one."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._player: Player | None = None
        self._telling: asyncio.Task[None] | None = None
        self._preparing = False

    async def facts(self) -> dict[str, Any] | None:
        """Return what a page that comes now must know; None: there is no simulation."""
        player = self._player
        return None if player is None else dict(await asyncio.to_thread(player.ask, "facts"))

    async def obey(self, chain: Chain, told: dict[str, Any]) -> str:
        """Do what a page asks of the simulation and return what is said to it.

        Raises:
            DrivingError: it cannot be done.
            Refusal: neither can this.
            KeyError: something of it is missing.
        """
        if told["do"] == "simulate":
            await self._begin(chain, told)
            return ""
        if told["do"] == "rest":
            await self.end("")
            return ""
        if self._player is None:
            raise Refusal("there is no simulation: begin one", SPOT)
        name, *keys = ASKED[told["do"]]
        said = await asyncio.to_thread(self._player.ask, name, *(told[key] for key in keys))
        if told["do"] != "input":
            await self._hall.tell({"begun": await self.facts()})
        return said or ""

    async def jog(self, axes: Any) -> None:
        """Carry a page's hand to the simulation."""
        if self._player is not None:
            await asyncio.to_thread(self._player.ask, "jog", axes)

    async def end(self, why: str) -> None:
        """End the simulation, if there is one; pages are told why."""
        player, self._player = self._player, None
        if player is None:
            return
        if self._telling is not None:
            self._telling.cancel()
        await asyncio.to_thread(player.end)
        await self._hall.tell({"ended": why})

    async def _begin(self, chain: Chain, told: dict[str, Any]) -> None:
        try:
            terms = Terms.model_validate({key: value for key, value in told.items() if key != "do"})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise Refusal(f"{first['loc'][-1]} = {first.get('input')!r}: {first['msg']}", SPOT) from None
        if self._preparing:
            raise Refusal("a simulation is being prepared already", SPOT)
        self._preparing = True
        try:
            await self.end("")
            self._player = await asyncio.to_thread(Player, chain, terms)
        finally:
            self._preparing = False
        await self._hall.tell({"begun": self._player.first_facts})
        self._telling = asyncio.ensure_future(self._tell(self._player))

    async def _tell(self, player: Player) -> None:
        while player is self._player:
            await asyncio.sleep(SHOWN_S)
            try:
                news = await asyncio.to_thread(player.ask, "drain")
            except DrivingError as error:
                self._player = None
                await asyncio.to_thread(player.end)
                return await self._hall.tell({"ended": str(error)})
            await self._hall.tell({"frame": news})
