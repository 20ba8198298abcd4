"""The way of a page to viser, through our door: of what a page says, only where its camera is passes.

viser lets every client change controls, ask for a public tunnel and more. None of that is needed to look.
"""

import asyncio
from contextlib import suppress
from typing import Any

import aiohttp
import msgpack
from aiohttp import web

from hil.messaging.page_access import HOST

PASSED = ("ViewerCameraMessage",)  # viser counts a page as there from its first one on
LONGEST = 4096  # [bytes] of such a message
HEADERS = ("Content-Type", "Content-Encoding")


class DrawingProxy:
    """Carries viser's page and messages to those who may see them."""

    def __init__(self, port: int) -> None:
        self._address = f"http://{HOST}:{port}/"
        self._session: aiohttp.ClientSession | None = None

    async def page(self, request: web.Request) -> web.Response:
        """Return viser's page."""
        accepted = {"Accept-Encoding": request.headers.get("Accept-Encoding", "identity")}
        async with self._client().get(self._address, headers=accepted) as answer:
            kept = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
            return web.Response(body=await answer.read(), status=answer.status, headers=kept)

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        """Join a page's WebSocket and viser's until one of them ends."""
        wanted = [
            p.strip() for p in request.headers.get("Sec-WebSocket-Protocol", "").split(",") if p.strip()
        ]
        theirs = web.WebSocketResponse(protocols=wanted, max_msg_size=LONGEST, compress=False)
        async with self._client().ws_connect(self._address, protocols=wanted, max_msg_size=0) as viser:
            await theirs.prepare(request)
            ways = (_picture(viser, theirs), _camera(theirs, viser))
            tasks = [asyncio.ensure_future(way) for way in ways]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                with suppress(ConnectionError):
                    await theirs.close()
        return theirs

    async def close(self) -> None:
        """End all connections to viser."""
        if self._session is not None:
            await self._session.close()

    def _client(self) -> aiohttp.ClientSession:
        self._session = self._session or aiohttp.ClientSession(auto_decompress=False)
        return self._session


def may_pass(data: bytes) -> bool:
    """Return whether a page's message is one that viser may hear."""
    if len(data) > LONGEST:
        return False
    try:
        message: Any = msgpack.unpackb(data)
    except Exception:  # whatever it is, it is not what we let pass
        return False
    return isinstance(message, dict) and message.get("type") in PASSED


async def _picture(viser: aiohttp.ClientWebSocketResponse, page: web.WebSocketResponse) -> None:
    async for message in viser:
        if message.type is aiohttp.WSMsgType.BINARY:
            await page.send_bytes(message.data)


async def _camera(page: web.WebSocketResponse, viser: aiohttp.ClientWebSocketResponse) -> None:
    async for message in page:
        if message.type is aiohttp.WSMsgType.BINARY and may_pass(message.data):
            await viser.send_bytes(message.data)
