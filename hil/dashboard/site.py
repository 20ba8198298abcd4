"""Our own web server: the page, its news and commands, and the drawing behind the same door.

It lives on a thread of its own. Everything is refused that `hil.messaging.page_door` does not let in.
"""

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from typing import Any

from aiohttp import ClientError, WSMsgType, web

from hil.dashboard.drawing_proxy import DrawingProxy
from hil.dashboard.page_hand import Obey, PageHand
from hil.messaging.page_access import HOST, Access, port_refused
from hil.messaging.page_door import PageDoor

PAGE = files("hil.dashboard") / "page"
KINDS = {".css": "text/css", ".js": "text/javascript"}
FILES = {file.name for file in PAGE.iterdir() if file.name.endswith(tuple(KINDS))}
LONGEST = 4096  # [bytes] of what a page sends


class Site:
    """The server."""

    def __init__(
        self,
        port: int,
        access: Access,
        drawing: DrawingProxy,
        facts: dict[str, Any],
        obey: Obey,
        run_ns: Callable[[], int],
        beside: str = "",
    ) -> None:
        """Start to serve.

        Args:
            port: on loopback.
            access: who may come in.
            drawing: the way to viser.
            facts: told to a page once.
            obey: carries a command, asked for at an instant, to the daemon and returns what is said to it;
                may block.
            run_ns: the clock of the run [ns].
            beside: name of a script and of a style sheet that the page has beside its own.

        Raises:
            LinkError: the port is taken.
        """
        self._door, self._drawing, self._facts = PageDoor(access), drawing, facts
        self._obey, self._run_ns, self._beside = obey, run_ns, beside
        self._listeners: dict[asyncio.Event, None] = {}
        self._news = "{}"
        self.axes = False  # a page wants to see the frames
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="site", daemon=True)
        self._thread.start()
        try:
            self._runner = self._wait(self._begin(port))
        except OSError as error:
            raise port_refused(port, error) from error

    @property
    def watched(self) -> bool:
        """Whether any page is open."""
        return bool(self._listeners)

    def publish(self, news: dict[str, Any]) -> None:
        """Tell all pages; one that is slow gets the newest only."""
        text = json.dumps(news)
        self._loop.call_soon_threadsafe(self._spread, text)

    def close(self) -> None:
        """End all connections and the thread."""
        self._wait(self._drawing.close())
        self._wait(self._runner.cleanup())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _wait(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _begin(self, port: int) -> web.AppRunner:
        app = web.Application(middlewares=[self._door.guard])
        app.router.add_get("/", self._page)
        app.router.add_get("/{name:[a-z]+\\.(?:css|js)}", self._file)
        app.router.add_get("/favicon.ico", self._nothing)
        app.router.add_get("/news", self._talk)
        app.router.add_get("/drawing", self._drawn)
        app.router.add_get("/drawing/", self._drawn)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, HOST, port).start()
        return runner

    async def _page(self, request: web.Request) -> web.Response:
        text = (PAGE / "page.html").read_text(encoding="utf-8")
        return self._door.page(request, with_beside(text, self._beside))

    async def _file(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in FILES:
            raise web.HTTPNotFound
        kind = KINDS[name[name.index(".") :]]
        return web.Response(text=(PAGE / name).read_text(encoding="utf-8"), content_type=kind)

    async def _drawn(self, request: web.Request) -> web.StreamResponse:
        way = self._drawing.page if request.path.endswith("/") else self._drawing.socket
        try:
            return await way(request)
        except ClientError:  # viser has gone: so do we in a moment
            return web.Response(status=503, text="the drawing does not answer\n")

    async def _nothing(self, request: web.Request) -> web.Response:
        return web.Response(status=204)

    async def _talk(self, request: web.Request) -> web.WebSocketResponse:
        """Tell a page the news, and carry its commands."""
        page = web.WebSocketResponse(max_msg_size=LONGEST, heartbeat=5.0)
        await page.prepare(request)
        rung = asyncio.Event()
        self._listeners[rung] = None
        telling = asyncio.ensure_future(self._tell(page, rung))
        hand = PageHand(self._obey, self._run_ns)
        try:
            with suppress(ConnectionError):  # a page that goes is no event
                await page.send_json({"facts": self._facts})
                async for message in page:
                    if message.type is WSMsgType.TEXT:
                        await page.send_json(await self._answer(message.data, hand))
        finally:
            del self._listeners[rung]
            telling.cancel()
        return page

    async def _tell(self, page: web.WebSocketResponse, rung: asyncio.Event) -> None:
        with suppress(ConnectionError):
            while not page.closed:
                await rung.wait()
                rung.clear()
                await page.send_str(self._news)

    async def _answer(self, text: str, hand: PageHand) -> dict[str, Any]:
        """Do what a page asks for and return what is said to it."""
        try:
            asked = json.loads(text)
            if "axes" in asked:
                self.axes = bool(asked["axes"])
                return {"axes": self.axes}
            verb, arguments = str(asked["verb"]), dict(asked.get("arguments") or {})
        except (ValueError, TypeError, KeyError, RecursionError):
            return {"accepted": False, "text": "this is no command"}
        answer = await self._loop.run_in_executor(None, hand.obey, verb, arguments)
        return {"verb": verb, **answer}

    def _spread(self, text: str) -> None:
        self._news = text
        for rung in self._listeners:
            rung.set()


def with_beside(page: str, name: str) -> str:
    """Return a page that loads the script and the style sheet of this name too, the script first of all."""
    if not name:
        return page
    links = f'<link rel="stylesheet" href="/{name}.css">\n<script src="/{name}.js" defer></script>\n'
    head, mark, rest = page.partition("<link")
    return head + links + mark + rest
