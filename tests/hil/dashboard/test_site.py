"""The door of the dashboard with real connections: what comes in, what is carried on, what is dropped."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from socket import SOCK_STREAM
from typing import Any

import aiohttp
import msgpack
import pytest
import viser

from hil.common.errors import LinkError
from hil.common.free_port import free_port
from hil.dashboard.drawing_proxy import LONGEST, DrawingProxy, may_pass
from hil.dashboard.site import Site
from hil.dashboard.view import Drawing
from hil.messaging.page_access import Access

TOKEN = "the-token-of-this-run"
VISER = (f"viser-v{viser.__version__}",)
CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": [1.0, 0.0, 0.0, 0.0],
    "position": [1.0, 0.0, 0.0],
    "fov": 1.0,
    "near": 0.1,
    "far": 10.0,
    "image_height": 10,
    "image_width": 10,
    "look_at": [0.0, 0.0, 0.0],
    "up_direction": [0.0, 0.0, 1.0],
}
SHARE = {"type": "ShareUrlRequest"}


class Door:
    """A site with a drawing behind it, and what has come through."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.shared = 0
        self.drawing = Drawing()
        self.drawing.request_share_url = self._share  # type: ignore[method-assign]
        self.port = free_port(SOCK_STREAM)
        self.access = Access(self.port, TOKEN)
        self.site = Site(
            self.port,
            self.access,
            DrawingProxy(self.drawing.get_port()),
            {"emulated": True},
            self._obey,
            time.monotonic_ns,
        )
        self.base = f"http://127.0.0.1:{self.port}"

    def _obey(self, verb: str, arguments: dict[str, Any], asked_ns: int) -> dict[str, Any]:
        self.asked.append((verb, arguments))
        return {"accepted": verb != "float", "text": f"{verb} is judged"}

    def _share(self, verbose: bool = True) -> None:
        self.shared += 1

    def headers(self, **changes: str | None) -> dict[str, str]:
        """The headers of our own page, with changes; None takes one away."""
        own = {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": self.base,
            "Cookie": f"{self.access.cookie}={TOKEN}",
        }
        return {name: value for name, value in (own | changes).items() if value is not None}


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    made = Door()
    yield made
    made.site.close()
    made.drawing.stop()


def go(work: Callable[[aiohttp.ClientSession], Awaitable[Any]]) -> Any:
    """Do something with a client that keeps no cookies of its own."""

    async def within() -> Any:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            return await asyncio.wait_for(work(session), 20.0)

    return asyncio.run(within())


def status_of(door: Door, path: str, headers: dict[str, str]) -> tuple[int, str, Any]:
    async def get(session: aiohttp.ClientSession) -> tuple[int, str, Any]:
        async with session.get(door.base + path, headers=headers) as answer:
            return answer.status, await answer.text(), answer.headers

    return go(get)


STRANGERS = {
    "no cookie": {"Cookie": None},
    "a wrong cookie": {"Cookie": "{name}=another-token"},
    "another port's cookie": {"Cookie": "zerog-1=" + TOKEN},
    "a foreign host": {"Host": "evil.example"},
    "a foreign page": {"Origin": "http://evil.example"},
    "a page of another port": {"Origin": "http://127.0.0.1:1"},
}


def changed(door: Door, changes: dict[str, str | None]) -> dict[str, str]:
    own = {k: None if v is None else v.replace("{name}", door.access.cookie) for k, v in changes.items()}
    return door.headers(**own)


@pytest.mark.parametrize("path", ["/", "/page.js", "/page.css", "/drawing/", "/nowhere"])
@pytest.mark.parametrize("changes", STRANGERS.values(), ids=STRANGERS)
def test_strangers_get_nothing(door: Door, path: str, changes: dict[str, str | None]) -> None:
    """Status 403 with one line and no cookie, whatever they ask for."""
    status, text, headers = status_of(door, path, changed(door, changes))
    assert status == 403 and text.startswith("refused: ") and text.count("\n") == 1
    assert "Set-Cookie" not in headers and TOKEN not in text


@pytest.mark.parametrize("changes", [*STRANGERS.values(), {"Origin": None}], ids=[*STRANGERS, "no origin"])
@pytest.mark.parametrize("path", ["/news", "/drawing"])
def test_strangers_move_nothing(door: Door, path: str, changes: dict[str, str | None]) -> None:
    """No WebSocket is opened for them, so no command is carried: nobody gets in without all three."""
    door.asked.clear()

    async def open_socket(session: aiohttp.ClientSession) -> int:
        try:
            ws = await session.ws_connect(door.base + path, headers=changed(door, changes), protocols=VISER)
        except aiohttp.WSServerHandshakeError as error:
            return error.status
        await ws.send_str(json.dumps({"verb": "float"}))
        return 0

    assert go(open_socket) == 403
    assert door.asked == []


def test_the_address_gives_the_cookie_and_only_with_the_token(door: Door) -> None:
    """For this site alone, not for scripts; a wrong token gives none."""
    plain = {"Host": f"127.0.0.1:{door.port}"}
    status, text, headers = status_of(door, f"/?token={TOKEN}", plain)
    cookie = headers["Set-Cookie"]
    assert status == 200 and "STOP" in text
    assert f"{door.access.cookie}={TOKEN}" in cookie and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert (
        headers["Referrer-Policy"] == "no-referrer"
        and "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    )
    assert status_of(door, "/?token=guessed", plain)[0] == 403
    assert status_of(door, f"/page.js?token={TOKEN}", plain)[0] == 403
    assert status_of(door, f"/?token={TOKEN}", plain | {"Host": "evil.example"})[0] == 403


def test_commands_are_carried_and_what_is_said_to_them_comes_back(door: Door) -> None:
    """Also a refusal; what is no command is answered and carried nowhere."""
    door.asked.clear()

    async def talk(session: aiohttp.ClientSession) -> list[Any]:
        async with session.ws_connect(door.base + "/news", headers=door.headers()) as ws:
            told = [await ws.receive_json()]
            for text in (
                '{"verb": "stop"}',
                '{"verb": "float", "arguments": {}}',
                "noise",
                "[" * 4000,
                "[1]",
                "{}",
                '{"axes": true}',
            ):
                await ws.send_str(text)
                told.append(await ws.receive_json())
            return told

    facts, stop, float_, *wrong, axes = go(talk)
    assert facts == {"facts": {"emulated": True}}
    assert stop == {"verb": "stop", "accepted": True, "text": "stop is judged"}
    assert float_ == {"verb": "float", "accepted": False, "text": "float is judged"}
    assert all(answer == {"accepted": False, "text": "this is no command"} for answer in wrong)
    assert door.asked == [("stop", {}), ("float", {})]
    assert axes == {"axes": True} and door.site.axes


def test_two_pages_hear_the_same_news_and_a_slow_one_the_newest(door: Door) -> None:
    """What is published reaches both; nothing is kept for one that does not read."""

    async def listen(session: aiohttp.ClientSession) -> list[Any]:
        sockets = [await session.ws_connect(door.base + "/news", headers=door.headers()) for _ in range(2)]
        for ws in sockets:
            await ws.receive_json()
        assert door.site.watched
        for n in range(50):
            door.site.publish({"n": n})
        last = []
        for ws in sockets:
            told: dict[str, Any] = {"n": -1}
            while told["n"] != 49:
                before, told = told["n"], await ws.receive_json()
                assert told["n"] > before
            last.append(told["n"])
            await ws.close()
        return last

    assert go(listen) == [49, 49]
    deadline = time.monotonic() + 10.0
    while door.site.watched:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_drawings_page_comes_through(door: Door) -> None:
    """As viser serves it."""
    status, text, _ = status_of(door, "/drawing/?hideViserLogo", door.headers(Origin=None))
    assert status == 200 and "<html" in text.lower()


def test_only_the_camera_passes_to_the_drawing(door: Door) -> None:
    """A tunnel that a page asks for is asked of nobody; viser itself would have heard it."""

    async def say(session: aiohttp.ClientSession, address: str, *messages: dict[str, Any]) -> int:
        async with session.ws_connect(address, headers=door.headers(), protocols=VISER) as ws:
            await ws.receive_bytes()
            for message in messages:
                await ws.send_bytes(msgpack.packb(message))
            await asyncio.sleep(0.5)
            return len(door.drawing.get_clients())

    door.shared = 0
    update = {"type": "GuiUpdateMessage", "uuid": "x", "updates": {"value": 1}}
    assert go(lambda session: say(session, door.base + "/drawing", SHARE, update)) == 0
    assert door.shared == 0
    assert go(lambda session: say(session, door.base + "/drawing", SHARE, CAMERA)) == 1
    assert door.shared == 0
    behind = f"http://127.0.0.1:{door.drawing.get_port()}"
    go(lambda session: say(session, behind, SHARE))
    assert door.shared == 1, "else this test could not fail"


def test_viser_itself_opens_no_tunnel_for_us() -> None:
    """Whoever reaches its own port finds nobody who would open one."""
    assert Drawing.request_share_url is not viser.ViserServer.request_share_url
    assert Drawing.request_share_url(object.__new__(Drawing)) is None


@pytest.mark.parametrize(
    "data",
    [b"", b"noise", msgpack.packb([1]), msgpack.packb(SHARE), msgpack.packb({"type": 3}), b"\xc1",
     msgpack.packb(CAMERA | {"more": "x" * LONGEST})],
)  # fmt: skip
def test_whatever_is_no_camera_does_not_pass(data: bytes) -> None:
    """Any bytes; too long ones as well."""
    assert not may_pass(data)
    assert may_pass(msgpack.packb(CAMERA))


def test_a_port_that_is_taken_is_told(door: Door) -> None:
    """The site does not take another one by itself."""
    with pytest.raises(LinkError, match="--port"):
        Site(door.port, door.access, DrawingProxy(1), {}, lambda *_: {}, time.monotonic_ns)
