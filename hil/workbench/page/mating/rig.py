"""Mating for all pages: one worker, started when it is first needed, and ended by who stops a run."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hil.common.errors import ExperimentError, WorkbenchError
from hil.workbench.page.worker import Worker

ASKED: dict[str, tuple[str, ...]] = {
    "experiments": (),
    "form": ("name",),
    "run": ("name", "values"),
    "cut": ("run", "row"),
}
STOPPED = "the run was stopped"


class Rig:
    """Where experiments are run."""

    def __init__(self, folder: Path) -> None:
        """Take the folder whose files a page may choose."""
        self._folder = folder
        self._worker: Worker | None = None
        self._turn = asyncio.Lock()
        self._begun = 0

    async def obey(self, told: Any, heard: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Do what a page asks and return what it is told: the answer by the question's name, or `refused`.

        Args:
            told: what it asks: `ask`, and what belongs to that.
            heard: is called, on any thread, with what the worker says in between.
        """
        if not isinstance(told, dict) or told.get("ask") not in (*ASKED, "stop"):
            return {"refused": {"text": "this is no question about mating", "spot": ""}}
        asked = told["ask"]
        if asked == "stop":
            await self.end()
            return {}
        if missing := [key for key in ASKED[asked] if key not in told]:
            return {"refused": {"text": f"{asked}: {missing[0]} is missing", "spot": ""}}
        try:
            answer = await self._ask(asked, [told[key] for key in ASKED[asked]], heard)
        except WorkbenchError as error:
            return {"refused": {"ask": asked, "text": str(error), "spot": ""}}
        if "refused" in answer:
            return {"refused": {"ask": asked, **answer["refused"]}}
        return {asked: answer["done"]}

    async def packed(self, run: int, kind: str) -> tuple[bytes, str]:
        """Return a file to download and its name.

        Raises:
            ExperimentError: the run is no longer kept, or its files cannot be made.
            WorkbenchError: the worker has ended.
        """
        answer = await self._ask("packed", [run, kind], lambda said: None)
        if "refused" in answer:
            raise ExperimentError(answer["refused"]["text"])
        content, name = answer["done"]
        return content, name

    async def end(self) -> None:
        """End the worker; whoever waits for a run hears that it was stopped."""
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.to_thread(worker.end)

    async def _ask(
        self, name: str, arguments: list[Any], heard: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        async with self._turn:
            if self._worker is None:
                self._begun += 1
                self._worker = Worker(
                    "the run", "hil.workbench.page.mating.worker", "perform", self._folder, self._begun
                )
            worker = self._worker
            try:
                return dict(await asyncio.to_thread(worker.ask, name, *arguments, heard=heard))
            except WorkbenchError as error:
                if self._worker is not worker:
                    raise WorkbenchError(STOPPED) from error
                self._worker = None  # it has ended by itself: the next question starts another one
                await asyncio.to_thread(worker.end)
                raise WorkbenchError(f"{error} by itself: its terminal says why; run it again") from error
