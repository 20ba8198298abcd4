"""The page's server: who comes in, what is refused, what several pages see; and a worker's ends."""

import asyncio
import gc
import io
import json
import threading
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from socket import SOCK_STREAM
from typing import Any

import aiohttp
import pytest

from hil.common.errors import LinkError, WorkbenchError
from hil.common.free_port import free_port
from hil.messaging.page_access import Access
from hil.workbench.draft import Drafts
from hil.workbench.page.desk import Desk
from hil.workbench.page.site import Site
from hil.workbench.page.worker import Worker
from sim.assembly.chain import Chain
from tests.hil.workbench.toy_parts import toy_database

TOKEN = "the-token-of-this-workbench"
Work = Callable[["House"], Awaitable[None]]


class House:
    """A server, and a client without cookies of its own."""

    def __init__(self, folder: Path, session: aiohttp.ClientSession) -> None:
        self.port, self.session = free_port(SOCK_STREAM), session
        self.desk = Desk(toy_database(), Drafts(folder / "state"), folder, None)
        self.access = Access(self.port, TOKEN, "the workbench", "it")
        self.site = Site(self.desk, self.access)
        self.base = f"http://127.0.0.1:{self.port}"

    def headers(self, **changes: str | None) -> dict[str, str]:
        own = {"Origin": self.base, "Cookie": f"{self.access.cookie}={TOKEN}"}
        return {name: value for name, value in (own | changes).items() if value is not None}

    async def get(self, path: str, **changes: str | None) -> tuple[int, bytes, Any]:
        async with self.session.get(self.base + path, headers=self.headers(**changes)) as answer:
            return answer.status, await answer.read(), answer.headers

    def page(self) -> Any:
        return self.session.ws_connect(self.base + "/talk", headers=self.headers())


async def until(page: aiohttp.ClientWebSocketResponse, name: str) -> Any:
    """The next message of a name."""
    while True:
        told = await asyncio.wait_for(page.receive_json(), 60.0)
        if name in told:
            return told[name]


async def reckoned(page: aiohttp.ClientWebSocketResponse, house: House) -> Any:
    """The ledger of the arm as it is."""
    while (ledger := await until(page, "ledger"))["revision"] != house.desk.revision:
        pass
    return ledger


def within(folder: Path, work: Work) -> None:
    """Do something with a server."""

    async def go() -> None:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            house = House(folder, session)
            runner = await house.site.begin(house.port)
            try:
                await asyncio.wait_for(work(house), 120.0)
            finally:
                await house.site.close()
                await runner.cleanup()

    asyncio.run(go())


STRANGERS: list[dict[str, str | None]] = [
    {"Cookie": None},
    {"Cookie": "zerog-1=" + TOKEN},
    {"Host": "evil.example"},
    {"Origin": "http://evil.example"},
    {"Origin": "http://127.0.0.1:1"},
]


def test_strangers_get_and_move_nothing(tmp_path: Path) -> None:
    """Status 403 and one line for every path; no socket without cookie, host and origin of our own page."""

    async def work(house: House) -> None:
        for changes in STRANGERS:
            for path in (
                "/",
                "/web/page.js",
                "/mesh/base",
                "/arm.toml",
                "/models.zip",
                "/mating/1.csv",
                "/nowhere",
            ):
                status, text, headers = await house.get(path, **changes)
                assert status == 403 and text.startswith(b"refused: ") and text.count(b"\n") == 1
                assert "Set-Cookie" not in headers and TOKEN.encode() not in text
        for changes in [*STRANGERS, {"Origin": None}]:
            with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
                await house.session.ws_connect(house.base + "/talk", headers=house.headers(**changes))
            assert caught.value.status == 403
        status, text, headers = await house.get(f"/?token={TOKEN}", Cookie=None, Origin=None)
        assert status == 200 and b"workbench" in text and "HttpOnly" in headers["Set-Cookie"]
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert (await house.get("/?token=guessed", Cookie=None))[0] == 403

    within(tmp_path, work)


def test_files_are_those_of_the_page_alone(tmp_path: Path) -> None:
    """Nothing beside them; all that a page refers to is there, and nothing comes from elsewhere."""

    async def work(house: House) -> None:
        for path in (
            "/web/../main.py",
            "/web/%2e%2e%2fmain.py",
            "/web/main.py",
            "/web/none.js",
            "/mesh/none",
        ):
            assert (await house.get(path))[0] == 404
        _, page, _ = await house.get("/")
        assert b"http://" not in page and b"https://" not in page
        for name in (
            "page",
            "stage",
            "renderer",
            "catalogue",
            "run",
            "plots",
            "jog",
            "browser",
            "parts",
            "mating",
        ):
            status, text, headers = await house.get(f"/web/{name}.js")
            assert status == 200 and headers["Content-Type"].startswith("text/javascript")
            assert b"https://" not in text and b'"http://' not in text
        for script in ("curve", "cut", "verdict"):
            assert (await house.get(f"/web/mating_{script}.js"))[0] == 200
        status, mesh, _ = await house.get("/mesh/pitch")
        assert status == 200 and len(json.loads(mesh)["bodies"]) == 2

    within(tmp_path, work)


def test_two_pages_assemble_one_arm(tmp_path: Path) -> None:
    """What one does both see, with figures; a refusal and noise go to who has said it, and change nothing."""

    async def work(house: House) -> None:
        async with house.page() as one, house.page() as two:
            assert {card["name"] for card in (await until(one, "facts"))["components"]} >= {"base", "pitch"}
            for name in ("base", "pitch"):
                await one.send_json({"do": "add", "component": name})
                assert (await until(one, "said"))["accepted"]
            while len((await until(two, "state"))["parts"]) < 2:
                pass
            # both listen: who hears nothing while kernels compile is taken for gone
            for ledger in await asyncio.gather(reckoned(one, house), reckoned(two, house)):
                assert ledger["figures"]["joints"] == 1
            await two.send_json({"pose": [0.5], "revision": house.desk.revision})
            assert len((await until(two, "posture"))["poses"]) == 2
            # a page waits for its answer before it asks again: one that crosses a change has its answer too
            for asked in ({"pose": [0.5], "revision": house.desk.revision - 1}, {"pose": [0.5]}):
                await two.send_json(asked)
                assert await until(two, "posture") is None
            await two.send_json({"pose": [0.5, 0.5], "revision": house.desk.revision})
            assert not (await until(two, "said"))["accepted"] and await until(two, "posture") is None
            text = house.desk.text
            for noise in (
                "x",
                "[]",
                '"pose"',
                '["pose"]',
                '["jog"]',
                '{"pose": {}, "revision": REVISION}',
                "{}",
                '{"do": 3}',
                '{"do": "fly"}',
                "[" * 5000,
                '{"jog": "left"}',
                '{"do": "set", "name": "a"}',
                '{"do": "simulate", "inverse": "guess"}',
                '{"pose": ["a"], "revision": REVISION}',
                '{"do": "add", "component": 3}',
            ):
                await one.send_str(noise.replace("REVISION", str(house.desk.revision)))
                if (
                    "{" not in noise or "jog" not in noise
                ):  # nothing is simulated: there is nothing to say to it
                    said = await until(one, "said")
                    assert not said["accepted"] and "\n" not in said["text"], noise
            assert house.desk.text == text

    within(tmp_path, work)


def test_a_posture_that_fails_in_a_way_nobody_foresaw_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page may ask again, and is shown the next one; the terminal tells what it was."""
    lame = [RuntimeError("no kernel")]

    def sometimes(*asked: Any) -> dict[str, Any]:
        if lame:
            raise lame.pop()
        return {"poses": []}

    monkeypatch.setattr("hil.workbench.page.site.posture", sometimes)

    async def work(house: House) -> None:
        for name in ("base", "pitch"):
            assert house.desk.obey({"do": "add", "component": name})["accepted"]
        async with house.page() as page:
            for shown in (None, {"revision": house.desk.revision, "poses": []}):
                await page.send_json({"pose": [0.5], "revision": house.desk.revision})
                assert await until(page, "posture") == shown
        gc.collect()

    within(tmp_path, work)
    assert "no kernel" in caplog.text


def test_exports_come_as_an_archive_or_as_a_sentence(tmp_path: Path) -> None:
    """With the assembly's own file; an empty arm and an unknown format are refused."""

    async def work(house: House) -> None:
        status, text, _ = await house.get("/models.zip?formats=urdf")
        assert status == 422 and text == b"there is nothing to export: the arm has no parts"
        for name in ("base", "pitch", "link"):
            assert house.desk.obey({"do": "add", "component": name})["accepted"]
        status, archive, headers = await house.get("/models.zip?formats=urdf,mjcf")
        assert status == 200 and "new_arm.zip" in headers["Content-Disposition"]
        with zipfile.ZipFile(io.BytesIO(archive)) as pack:
            assert pack.testzip() is None
            assert {"new_arm/new_arm.toml", "new_arm/new_arm.urdf", "new_arm/new_arm.xml"} <= set(
                pack.namelist()
            )
            assert pack.read("new_arm/new_arm.toml").decode() == house.desk.text
        status, text, _ = await house.get("/models.zip?formats=step")
        assert status == 422 and b"'step'" in text
        status, text, _ = await house.get("/arm.toml")
        assert status == 200 and text.decode() == house.desk.text

    within(tmp_path, work)


class SlowPacker:
    """A worker that packs until it is told that somebody else was answered meanwhile."""

    answered = threading.Event()
    ended = 0

    def __init__(self, *arguments: Any) -> None:
        """Begin."""

    def hear(self) -> bytes:
        """Return an archive, or fail when nobody else is answered."""
        if not self.answered.wait(10.0):
            raise WorkbenchError("nobody was answered")
        return b"archive"

    def end(self) -> None:
        """Count the ends."""
        SlowPacker.ended += 1


def test_pages_go_on_while_an_export_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for something else meanwhile has it before the archive is there; its process ends with it."""
    monkeypatch.setattr("hil.workbench.page.site.Worker", SlowPacker)

    async def work(house: House) -> None:
        house.desk.obey({"do": "add", "component": "base"})
        export = asyncio.create_task(house.get("/models.zip?formats=urdf"))
        await asyncio.sleep(0.2)
        assert (await house.get("/arm.toml"))[0] == 200
        SlowPacker.answered.set()
        assert (await export)[:2] == (200, b"archive") and SlowPacker.ended == 1

    within(tmp_path, work)


def test_figures_that_come_late_are_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of an arm that has changed while they were reckoned belong to no arm that a page shows."""
    begun, go_on = threading.Event(), threading.Event()

    def ledger(chain: Chain) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(10.0)
        return {"figures": {"parts": len(chain.parts)}, "findings": []}

    async def work(house: House) -> None:
        monkeypatch.setattr(house.site, "_ledger", ledger)
        async with house.page() as page:
            assert await asyncio.to_thread(begun.wait, 10.0)
            first = house.desk.revision
            await page.send_json({"do": "add", "component": "base"})
            while (await until(page, "state"))["revision"] == first:
                pass
            go_on.set()
            told = await until(page, "ledger")
            assert told["revision"] == house.desk.revision > first and told["figures"] == {"parts": 1}
            await page.send_json({"do": "add", "component": "pitch"})
            assert (await reckoned(page, house))["figures"] == {"parts": 2}

    within(tmp_path, work)


def test_a_change_of_the_arm_ends_its_simulation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason; what changes nothing leaves it."""
    ended: list[str] = []

    async def end(why: str) -> None:
        ended.append(why)

    async def work(house: House) -> None:
        monkeypatch.setattr(house.site._theatre, "end", end)
        async with house.page() as page:
            for asked, ends in (
                ({"do": "add", "component": "base"}, 1),
                ({"do": "add", "component": "none"}, 1),
            ):
                await page.send_json(asked)
                assert (await until(page, "said"))["accepted"] == (asked["component"] == "base")
                await page.send_json({"do": 3})  # by whose answer what was asked before is done
                await until(page, "said")
                assert ended == ["The arm has changed: simulate it anew."] * ends

    within(tmp_path, work)


def test_a_page_that_says_too_much_is_closed_alone(tmp_path: Path) -> None:
    """Above a mebibyte: that line ends, another page's goes on."""

    async def work(house: House) -> None:
        async with house.page() as loud, house.page() as other:
            await until(loud, "state")
            await loud.send_str('{"do": "' + "a" * (2 << 20) + '"}')
            while not (await asyncio.wait_for(loud.receive(), 60.0)).type.name.startswith("CLOS"):
                pass
            assert loud.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
            await other.send_json({"do": 3})
            assert not (await until(other, "said"))["accepted"]

    within(tmp_path, work)


def test_a_mating_experiment_is_run_for_a_page(tmp_path: Path) -> None:
    """Progress and result go to who asked; its courses are a file; what is gone or noise is one line."""

    async def work(house: House) -> None:
        async with house.page() as page:
            asked = {"ask": "run", "name": "o-ring", "values": {"motion.sample_mm": "0.1"}}
            await page.send_json({"mating": asked})
            seen = [await until(page, "mating")]
            while "run" not in seen[-1]:
                seen.append(await until(page, "mating"))
            shares = [told["progress"] for told in seen[:-1] if "compiling" not in told]
            assert len(shares) > 1 and shares == sorted(shares)
            run = seen[-1]["run"]["run"]
            status, text, headers = await house.get(f"/mating/{run}.csv")
            assert status == 200 and f"o-ring-{run}.csv" in headers["Content-Disposition"]
            assert text.count(b"\n") == 1 + len(seen[-1]["run"]["rows"])
            status, text, _ = await house.get("/mating/7.csv")
            assert status == 422 and b"run it again" in text and b"\n" not in text
            for noise in (3, {"ask": "fly"}, {"ask": "cut", "run": run, "row": "a"}):
                await page.send_json({"mating": noise})
                assert "\n" not in (await until(page, "mating"))["refused"]["text"]

    within(tmp_path, work)


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    """With the remedy."""

    async def work(house: House) -> None:
        other = Site(house.desk, house.access)
        with pytest.raises(LinkError, match=r"workbench: .*--port"):
            await other.begin(house.port)

    within(tmp_path, work)


def test_a_worker_that_has_ended_is_told_and_not_waited_for() -> None:
    """Killed from outside, or by us while it is waited for: an error at once, and no process is left."""
    worker = Worker("the work", "tests.hil.workbench.answers", "answer")
    assert worker.ask("echo", 3) == 3
    with pytest.raises(WorkbenchError, match="cannot be done"):
        worker.ask("refuse")
    with pytest.raises(WorkbenchError, match="has said nothing for"):
        worker.ask("sleep", patience_s=0.05)
    worker._process.kill()
    with pytest.raises(WorkbenchError, match="has ended"):
        worker.ask("echo", 1)
    worker.end()
    assert not worker._process.is_alive()
