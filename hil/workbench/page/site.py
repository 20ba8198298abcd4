"""The page's server on loopback: files, meshes, exports, and one WebSocket a page.

Whatever is asked is done by the desk; here is only the way to it and back. What takes long is done on
threads, so no page waits for another.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from typing import Any

from aiohttp import WSMsgType, web

from hil.common.errors import WorkbenchError, ZeroGError
from hil.messaging.page_access import HOST, Access, port_refused
from hil.messaging.page_door import PageDoor
from hil.workbench.page.catalogue import catalogue
from hil.workbench.page.desk import Desk
from hil.workbench.page.formats import formats_shown
from hil.workbench.page.hall import Hall
from hil.workbench.page.mating.rig import Rig
from hil.workbench.page.meshes import mesh_table
from hil.workbench.page.preview import clipped, posture, warm_up
from hil.workbench.page.theatre import DEEDS, Theatre
from hil.workbench.page.worker import Worker
from sim.assembly.chain import Chain

WEB = files("hil.workbench.page") / "web"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
LONGEST = 1 << 20  # [bytes] of what a page sends: a file that it opens


class Site:
    """The server of one workbench."""

    def __init__(self, desk: Desk, access: Access) -> None:
        self._desk, self._door, self._hall = desk, PageDoor(access), Hall()
        self._theatre, self._rig = Theatre(self._hall), Rig(desk.folder)
        self._database = desk.chain.database
        self._meshes: dict[str, str] = {}
        # pictures of parts do not wait for the kernels of a first posture, nor postures for figures
        self._drawn, self._quick, self._slow = (
            ThreadPoolExecutor(1, name) for name in ("meshes", "quick", "figures")
        )
        self._reckoner: Worker | None = None
        self._reckoned: tuple[int, dict[str, Any]] = (-1, {})
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, port: int) -> web.AppRunner:
        """Start to serve.

        Raises:
            LinkError: the port is taken.
        """
        app = web.Application(middlewares=[self._door.guard])
        app.router.add_get("/", self._page)
        app.router.add_get("/web/{name:[a-z_]+\\.(?:css|js|svg)}", self._file)
        app.router.add_get("/favicon.ico", self._nothing)
        app.router.add_get("/talk", self._talk)
        app.router.add_get("/mesh/{name}", self._mesh)
        app.router.add_get("/arm.toml", self._toml)
        app.router.add_get("/models.zip", self._models)
        app.router.add_get("/mating/{run:[0-9]{1,9}}.{kind:csv|zip}", self._mated)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError as error:
            raise port_refused(port, error, "workbench") from error
        self._quick.submit(warm_up, self._desk.database)
        return runner

    async def close(self) -> None:
        """End the simulation and what is still being reckoned; pages notice by themselves."""
        await self._theatre.end("")
        await self._rig.end()
        if self._reckoner is not None:
            await asyncio.to_thread(self._reckoner.end)
        for thread in (self._drawn, self._quick, self._slow):
            thread.shutdown(wait=False, cancel_futures=True)

    async def _page(self, request: web.Request) -> web.Response:
        return self._door.page(request, (WEB / "page.html").read_text(encoding="utf-8"))

    async def _file(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        file = WEB / name
        if not file.is_file():
            raise web.HTTPNotFound(text=f"there is no {name}\n")
        ending = name[name.rindex(".") :]
        return web.Response(text=file.read_text(encoding="utf-8"), content_type=TYPES[ending])

    async def _nothing(self, request: web.Request) -> web.Response:
        return web.Response(status=204)

    async def _mesh(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        database = self._desk.chain.database
        if name not in database:
            raise web.HTTPNotFound(text=f"there is no component {name[:80]!r}\n")
        if name not in self._meshes:
            made = await self._aside(self._drawn, mesh_table, database[name])
            self._meshes[name] = json.dumps(made)
        response = web.Response(text=self._meshes[name], content_type="application/json")
        response.enable_compression()
        return response

    async def _toml(self, request: web.Request) -> web.Response:
        return self._download(self._desk.text.encode(), "application/toml", f"{self._desk.chain.name}.toml")

    async def _models(self, request: web.Request) -> web.Response:
        """Return all models of the arm in one archive, or in one line why there is none."""
        wanted = [name for name in request.query.get("formats", "").split(",") if name]
        desk = self._desk
        if not desk.chain.parts:
            return web.Response(status=422, text="there is nothing to export: the arm has no parts")
        name = desk.chain.name
        packer = Worker("the export", "hil.workbench.page.packing", "pack", desk.chain, desk.text, wanted)
        try:
            archive = await asyncio.to_thread(packer.hear)
        except WorkbenchError as error:
            return web.Response(status=422, text=str(error))
        finally:
            await asyncio.to_thread(packer.end)
        return self._download(archive, "application/zip", f"{name}.zip")

    async def _mated(self, request: web.Request) -> web.Response:
        """Return a mating run's courses, or its report with all that belongs to it."""
        kind = request.match_info["kind"]
        try:
            content, name = await self._rig.packed(int(request.match_info["run"]), kind)
        except ZeroGError as error:
            return web.Response(status=422, text=str(error))
        return self._download(content, "text/csv" if kind == "csv" else "application/zip", name)

    def _download(self, content: bytes, kind: str, name: str) -> web.Response:
        return web.Response(
            body=content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    async def _talk(self, request: web.Request) -> web.WebSocketResponse:
        """Tell a page what there is, then do what it asks for."""
        page = web.WebSocketResponse(max_msg_size=LONGEST, heartbeat=5.0)
        await page.prepare(request)
        with suppress(ConnectionError):  # a page that goes is no event
            await page.send_json({"facts": self._facts()})
            await page.send_json({"state": self._desk.state()})
            if (begun := await self._theatre.facts()) is not None:
                await page.send_json({"begun": begun})
            self._hall.enter(page)
            try:
                self._reckon()
                async for message in page:
                    if message.type is WSMsgType.TEXT:
                        await self._hear(page, message.data)
            finally:
                self._hall.leave(page)
        return page

    async def _hear(self, page: web.WebSocketResponse, text: str) -> None:
        try:
            asked = json.loads(text)
            if not isinstance(asked, dict):
                raise TypeError("a page says a table")
            if "pose" in asked:
                return self._beside(self._pose(page, asked))  # its kernels may have to be compiled
            if "jog" in asked:
                return await self._theatre.jog(asked["jog"])
            if "mating" in asked:
                return self._beside(self._mate(page, asked["mating"]))
            if "look" in asked:
                return await page.send_json({"fits": self._desk.look(asked["look"])})
            if not isinstance(asked["do"], str):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError, ZeroGError) as error:
            said = {"accepted": False, "text": f"this is no deed: {error}", "spot": ""}
            return await page.send_json({"said": said})
        if asked["do"] in DEEDS:
            return self._beside(self._played(page, asked))  # it may have to be compiled
        before = self._desk.revision
        said = self._desk.obey(asked)
        await page.send_json({"said": {"do": asked["do"], **said}})
        if self._desk.chain.database is not self._database:  # an arm with components of its own
            self._database = self._desk.chain.database
            self._meshes.clear()
            await self._hall.tell({"facts": self._facts()})
        await self._hall.tell({"state": self._desk.state()})
        if self._desk.revision != before:
            self._reckon()
            await self._theatre.end("The arm has changed: simulate it anew.")

    async def _mate(self, page: web.WebSocketResponse, asked: Any) -> None:
        """Answer a question about mating, and tell how far a run is."""
        loop = asyncio.get_running_loop()

        async def tell(said: dict[str, Any]) -> None:
            with suppress(ConnectionError):
                await page.send_json({"mating": said})

        def heard(said: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(lambda: self._beside(tell(said)))

        await tell(await self._rig.obey(asked, heard))

    async def _played(self, page: web.WebSocketResponse, asked: dict[str, Any]) -> None:
        """Do what a page asks of the simulation and say what came of it."""
        said: dict[str, Any] = {"do": asked["do"], "accepted": True, "spot": ""}
        try:
            said["text"] = await self._theatre.obey(self._desk.chain, asked)
        except ZeroGError as error:
            said |= {"accepted": False, "text": str(error), "spot": getattr(error, "spot", "simulate")}
        with suppress(ConnectionError):
            await page.send_json({"said": said})

    def _facts(self) -> dict[str, Any]:
        return {**catalogue(self._desk.chain.database), "formats": formats_shown()}

    async def _pose(self, page: web.WebSocketResponse, asked: dict[str, Any]) -> None:
        """Answer where the arm's bodies are; None: of an arm that has changed meanwhile, or no positions.

        A page asks once more when it has been answered, and not before: every question has its answer.
        """
        shown = None
        with suppress(ConnectionError):
            try:
                manipulator = self._desk.manipulator
                if manipulator is not None and asked.get("revision") == self._desk.revision:
                    q = clipped(manipulator, asked["pose"])
                    shown = {
                        "revision": asked["revision"],
                        **await self._aside(self._quick, posture, manipulator, q),
                    }
            except ValueError as error:
                await page.send_json({"said": {"accepted": False, "text": str(error), "spot": ""}})
            finally:  # whatever else goes wrong, which our terminal tells
                await page.send_json({"posture": shown})

    def _reckon(self) -> None:
        """Let figures and findings be found, and told when they are."""
        self._beside(self._reckoned_anew())

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on while pages are heard."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reckoned_anew(self) -> None:
        revision, chain = self._desk.revision, self._desk.chain
        if self._reckoned[0] != revision:
            try:
                found = await self._aside(self._slow, self._ledger, chain)
            except WorkbenchError as error:
                found = {"figures": {}, "findings": [{"text": str(error), "grave": True, "part": None}]}
            if self._desk.revision != revision:
                return
            self._reckoned = revision, found
        await self._hall.tell({"ledger": {"revision": revision, **self._reckoned[1]}})

    def _ledger(self, chain: Chain) -> Any:
        """Return an arm's ledger, from a worker that is started when it is first needed."""
        if self._reckoner is None:
            self._reckoner = Worker("the reckoning of figures", "hil.workbench.page.ledger", "reckon")
        return self._reckoner.ask("ledger", chain)

    async def _aside(self, thread: ThreadPoolExecutor, work: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(thread, work, *arguments)
