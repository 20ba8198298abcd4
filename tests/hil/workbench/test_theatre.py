"""The simulation that pages share: begun and ended by any of them, told to all; a stand-in does the work."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import pytest

from hil.common.errors import WorkbenchError
from hil.workbench.editor import empty_editor
from hil.workbench.edits import Refusal
from hil.workbench.page import theatre
from hil.workbench.page.hall import Hall
from hil.workbench.page.theatre import Theatre
from tests.hil.workbench.toy_parts import toy_database

CHAIN = empty_editor(toy_database()).chain.add("base").add("pitch")
Work = Callable[["House"], Awaitable[None]]


class Player:
    """A worker that answers at once; `ready` holds back its first answer, `broken` is what it fails with."""

    broken = ""

    def __init__(self, what: str, module: str, function: str, *arguments: Any) -> None:
        self.arguments, self.asked, self.ended = arguments, list[tuple[Any, ...]](), False
        self.ready = threading.Event()
        House.players.append(self)

    def hear(self) -> dict[str, str]:
        self.ready.wait(20.0)
        if self.ended or self.broken:
            raise WorkbenchError(self.broken or "the simulation has ended")
        return {"input": "page"}

    def ask(self, name: str, *arguments: Any, patience_s: float | None = None) -> Any:
        self.asked.append((name, *arguments))
        if self.ended or self.broken:
            raise WorkbenchError(self.broken or "the simulation has ended")
        return {"facts": {"input": "page"}, "drain": {"t": 0.0}}.get(name, f"{name} done")

    def end(self) -> None:
        self.ended = True
        self.ready.set()


class House:
    """A theatre, and what all pages were told but frames."""

    players: ClassVar[list[Player]] = []

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        hall = Hall()
        hall.tell = self._tell  # type: ignore[method-assign]
        self.theatre = Theatre(hall)

    async def _tell(self, told: dict[str, Any]) -> None:
        if "frame" not in told:
            self.told.append(told)

    async def ask(self, do: str, **more: Any) -> str:
        return await self.theatre.obey(CHAIN, {"do": do, **more})

    async def begun(self) -> Player:
        """A simulation that runs."""
        begin = asyncio.ensure_future(self.ask("simulate"))
        while not (House.players and not House.players[-1].ended):
            await asyncio.sleep(0.001)
        House.players[-1].ready.set()
        await begin
        return House.players[-1]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], None]:
    """Does something with a theatre whose workers are players."""
    monkeypatch.setattr(theatre, "Worker", Player)
    monkeypatch.setattr(House, "players", [])

    def within(work: Work) -> None:
        async def go() -> None:
            house = House()
            await asyncio.wait_for(work(house), 20.0)
            await house.theatre.end("")

        asyncio.run(go())

    return within


def test_all_pages_are_told_of_its_beginning_its_changes_and_its_end(play: Callable[[Work], None]) -> None:
    """Of an input only who has asked; who comes later is told what there is."""

    async def work(house: House) -> None:
        assert await house.theatre.facts() is None
        player = await house.begun()
        assert house.told == [{"begun": {"input": "page"}}] == [{"begun": await house.theatre.facts()}]
        assert await house.ask("set", name="a", value=2) == "set_parameter done"
        assert ("set_parameter", "a", 2.0) in player.asked and len(house.told) == 2
        assert await house.ask("input", name="circle") == "listen done"
        assert ("listen", "circle") in player.asked and len(house.told) == 2
        await house.theatre.jog([1.0] * 6)
        assert ("jog", [1.0] * 6) in player.asked
        await house.theatre.end("The arm has changed")
        assert house.told[2:] == [{"ended": "The arm has changed"}] and player.ended
        await house.theatre.end("again")
        await house.theatre.jog([1.0] * 6)
        assert len(house.told) == 3 and await house.theatre.facts() is None

    play(work)


def test_one_at_a_time(play: Callable[[Work], None]) -> None:
    """A second one ends the first; while one is prepared another is refused; what ends then is told."""

    async def work(house: House) -> None:
        first = await house.begun()
        begin = asyncio.ensure_future(house.ask("simulate", weightless=True))
        while len(House.players) < 2:
            await asyncio.sleep(0.001)
        assert first.ended and House.players[1].arguments[1].weightless
        with pytest.raises(Refusal, match="being prepared"):
            await house.ask("simulate")
        await house.theatre.end("")
        with pytest.raises(WorkbenchError, match="has ended"):
            await begin
        assert await house.theatre.facts() is None
        third = await house.begun()
        assert not third.ended and await house.theatre.facts() is not None

    play(work)


def test_what_cannot_be_asked_is_refused(play: Callable[[Work], None]) -> None:
    """Without a simulation, of no known terms; then one may still begin."""

    async def work(house: House) -> None:
        for deed, more, words in (
            ("set", {"name": "a", "value": 1.0}, "there is no simulation"),
            ("simulate", {"inverse": "guess"}, "inverse = 'guess'"),
            ("simulate", {"q": ["a"]}, "q.0 = 'a'"),
        ):
            with pytest.raises(Refusal, match=words):
                await house.ask(deed, **more)
        player = await house.begun()
        with pytest.raises(Refusal, match="value"):
            await house.ask("set", name="a")
        assert not any(asked[0] == "set_parameter" for asked in player.asked)

    play(work)


def test_one_that_breaks_is_told_and_is_over(play: Callable[[Work], None]) -> None:
    """While it runs: pages are told why, and a next one may begin. At its beginning: who has asked."""

    async def work(house: House) -> None:
        player = await house.begun()
        while ("drain",) not in player.asked:
            await asyncio.sleep(0.001)
        player.broken = "the simulation has said nothing for 10 s"
        while len(house.told) < 2:
            await asyncio.sleep(0.001)
        assert house.told[1] == {"ended": player.broken} and player.ended
        assert await house.theatre.facts() is None
        await house.begun()
        await house.theatre.end("")
        begin = asyncio.ensure_future(house.ask("simulate"))
        while House.players[-1].ended:
            await asyncio.sleep(0.001)
        House.players[-1].broken = "the arm is no mechanism"
        House.players[-1].ready.set()
        with pytest.raises(WorkbenchError, match="no mechanism"):
            await begin
        assert House.players[-1].ended and await house.theatre.facts() is None

    play(work)
