"""Viewers of a live run: the recording's channels on a WebSocket that only reads and holds nothing up."""

import asyncio
import json
import os
import signal
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_STREAM
from typing import Any

import aiohttp
import numpy as np
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate

from bench.live_run import LiveRun
from hil.commands.cli import parser
from hil.commands.foxglove import foxglove_hint, foxglove_port
from hil.common.errors import ConfigurationError, LinkError
from hil.common.free_port import free_port
from hil.configuration import load_configuration
from hil.loop.partner.grasp_log import GraspInputLog
from hil.loop.second_solids import HAND
from hil.messaging.grasp_messages import GraspReport, PartnerWords
from hil.messaging.messages import ImpulseSlice, Mode, RobotState, SimState
from hil.recording import live_view
from hil.recording.live_view import SHOWN, LiveView
from hil.recording.protobuf import coder_of
from hil.recording.recorder import Recorder, recorded_topics
from hil.recording.rows import Cycle
from tests.conftest import ROOT

PROTOCOL = "foxglove.sdk.v1"
DATA = 1  # kind of a binary message: then subscription, log time, payload
PATIENCE_S = 30.0


class Viewer:
    """A client of the protocol, as Foxglove is one."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.info: dict[str, Any] = {}
        self.channels: dict[str, dict[str, Any]] = {}
        self.said: list[dict[str, Any]] = []

    async def hear(self, timeout_s: float = PATIENCE_S) -> tuple[int, int, bytes] | None:
        """The next message with data; what else comes is noted. None: none came in time."""
        deadline = time.monotonic() + timeout_s
        while (left := deadline - time.monotonic()) > 0.0:
            try:
                msg = await self.socket.receive(left)
            except TimeoutError:
                return None
            if msg.type is aiohttp.WSMsgType.BINARY and msg.data[0] == DATA:
                number, log_ns = struct.unpack_from("<IQ", msg.data, 1)
                return number, log_ns, msg.data[13:]
            if msg.type is aiohttp.WSMsgType.TEXT:
                said = json.loads(msg.data)
                self.said.append(said)
                if said["op"] == "serverInfo":
                    self.info = said
                if said["op"] == "advertise":
                    self.channels |= {channel["topic"]: channel for channel in said["channels"]}
        return None

    async def subscribe(self, *topics: str) -> dict[int, str]:
        """Ask for topics; their numbers."""
        deadline = time.monotonic() + PATIENCE_S
        while not set(topics) <= set(self.channels):
            assert time.monotonic() < deadline, f"only {sorted(self.channels)} are there"
            await self.hear(0.2)
        numbers = {self.channels[name]["id"]: name for name in topics}
        wanted = [{"id": number, "channelId": number} for number in numbers]
        await self.socket.send_str(json.dumps({"op": "subscribe", "subscriptions": wanted}))
        return numbers

    async def each(self, *topics: str) -> dict[str, tuple[int, bytes]]:
        """The first message of each topic."""
        names = await self.subscribe(*topics)
        found: dict[str, tuple[int, bytes]] = {}
        deadline = time.monotonic() + PATIENCE_S
        while set(found) != set(topics):
            heard = await self.hear()
            assert heard is not None and time.monotonic() < deadline, f"only {sorted(found)} came"
            found.setdefault(names[heard[0]], heard[1:])
        return found


def viewing(port: int, what: Any) -> Any:
    """What a coroutine that is given a viewer returns."""

    async def view() -> Any:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"ws://127.0.0.1:{port}", protocols=[PROTOCOL], max_msg_size=0) as socket,
        ):
            return await what(Viewer(socket))

    return asyncio.run(view())


@pytest.fixture(scope="module")
def port() -> int:
    return free_port(SOCK_STREAM)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[LiveRun]:
    folder: Path = tmp_path_factory.mktemp("foxglove")
    made = LiveRun(folder / "r", "--foxglove", "--foxglove-port", str(port), patient=True)
    try:
        made.wait_floating()
        yield made
    finally:
        made.close()


def test_a_viewer_sees_the_run_as_recordings_have_it(run: LiveRun, port: int) -> None:
    """Poses, shapes, joints, wrench, state, and the impulse of a push; with the schemas of recordings."""

    async def look(viewer: Viewer) -> tuple[Viewer, dict[str, tuple[int, bytes]]]:
        found = await viewer.each("/tf", "/scene", "/object", "/cycle", "/robot_state", "/sim_state", "/mode")
        names = await viewer.subscribe("/impulse")
        run.ask("push", force_n=[30.0, 0.0, 0.0], duration_ms=100.0)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            heard = await viewer.hear()
            assert heard is not None and time.monotonic() < deadline, "no impulse came"
            if names.get(heard[0]) == "/impulse" and b"" != heard[2]:
                return viewer, found | {"/impulse": heard[1:]}

    viewer, found = viewing(port, look)
    frames, scene = FrameTransforms.FromString(found["/tf"][1]), SceneUpdate.FromString(found["/scene"][1])
    assert {frame.parent_frame_id for frame in frames.transforms} == {"world"} and len(scene.entities) > 5
    kinds = {"/cycle": Cycle, "/robot_state": RobotState, "/sim_state": SimState, "/mode": Mode}
    for name, kind in kinds.items():
        assert viewer.channels[name]["schemaName"] == f"zerog.{kind.__name__}"
    state = coder_of(SimState).decode(found["/sim_state"][1])
    assert isinstance(state, SimState) and abs(state.p_world_object).max() < 3.0
    mode = coder_of(Mode).decode(found["/mode"][1])
    assert isinstance(mode, Mode) and mode.state == "FLOATING"
    assert abs(found["/mode"][0] - time.time_ns()) < 600e9
    cycle = coder_of(Cycle).decode(found["/cycle"][1])
    assert isinstance(cycle, Cycle) and cycle.commanding and abs(cycle.q_measured).max() > 0.5
    assert isinstance(coder_of(ImpulseSlice).decode(found["/impulse"][1]), ImpulseSlice)


def test_a_viewer_can_only_read(run: LiveRun, port: int) -> None:
    """No capability is offered; publishing, parameters and services are refused; nothing changes."""

    async def meddle(viewer: Viewer) -> Viewer:
        deadline = time.monotonic() + PATIENCE_S
        await viewer.subscribe("/mode")
        channel = {"id": 1, "topic": "/mode", "encoding": "json", "schemaName": "x"}
        for asked in (
            {"op": "advertise", "channels": [channel]},
            {"op": "setParameters", "parameters": [{"name": "state", "value": "STOPPED"}]},
            {"op": "getParameters", "parameterNames": []},
        ):
            await viewer.socket.send_str(json.dumps(asked))
        await viewer.socket.send_bytes(b"\x01" + struct.pack("<I", 1) + b'{"state": "STOPPED"}')
        await viewer.socket.send_bytes(b"\x02" + struct.pack("<III", 1, 1, 4) + b"json{}")
        await viewer.socket.send_bytes(os.urandom(100))
        await viewer.socket.send_str("no JSON at all")
        while sum(said["op"] == "status" for said in viewer.said) < 3 and time.monotonic() < deadline:
            await viewer.hear(0.2)
        return viewer

    viewer = viewing(port, meddle)
    assert viewer.info["capabilities"] == []
    refused = [said["message"] for said in viewer.said if said["op"] == "status"]
    assert any("clientPublish" in text for text in refused)
    assert any("parameters" in text for text in refused)
    assert run.status()["state"] == "FLOATING"


def test_a_viewer_that_does_not_read_holds_nothing_up(run: LiveRun, port: int) -> None:
    """It subscribes to everything and hangs: the run goes on, others see it, and memory stays bounded."""

    async def hang(viewer: Viewer) -> dict[str, tuple[int, bytes]]:
        await viewer.subscribe("/cycle", "/truth", "/tf", "/sim_state", "/plan", "/robot_state")
        transport = viewer.socket._response.connection.transport  # type: ignore[union-attr]
        transport.pause_reading()
        before = run.status()
        await asyncio.sleep(3.0)
        found: dict[str, tuple[int, bytes]] = await asyncio.to_thread(
            viewing, port, lambda other: other.each("/mode", "/cycle")
        )
        after = run.status()
        assert after["state"] == "FLOATING" and after["cycles"] - before["cycles"] > 200
        assert after["missed"] - before["missed"] <= 5
        return found

    assert set(viewing(port, hang)) == {"/mode", "/cycle"}


def test_a_view_that_is_killed_comes_back_and_the_arm_goes_on(run: LiveRun, port: int) -> None:
    """The run floats on; viewers find the new process on the same port."""
    os.kill(run.pid("foxglove"), signal.SIGKILL)
    run.wait(lambda: "the foxglove has ended: the foxglove process was ended by signal 9" in run.text)
    assert run.status()["state"] == "FLOATING"
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            found = viewing(port, lambda viewer: viewer.each("/mode"))
            break
        except aiohttp.ClientError:
            assert time.monotonic() < deadline
            time.sleep(0.2)
    assert set(found) == {"/mode"}


def test_shapes_are_due_whenever_somebody_new_looks() -> None:
    """Once for each subscription; nobody watches before and after."""
    at = free_port(SOCK_STREAM)
    view = LiveView(at, 0, ["mode"])

    async def look(viewer: Viewer) -> bool:
        await viewer.subscribe("/scene")
        await asyncio.sleep(0.3)
        return view.watched

    try:
        assert not view.watched and not view.scene_is_due()
        for _ in range(2):
            assert viewing(at, look)
            assert view.scene_is_due() and not view.scene_is_due()
    finally:
        view.close()


def test_it_listens_on_this_machine_alone() -> None:
    """On no other address, and with nothing to offer but its topics."""
    at = free_port(SOCK_STREAM)
    view = LiveView(at, 0, ["mode"])

    async def look(viewer: Viewer) -> dict[str, Any]:
        await viewer.subscribe("/mode")
        return viewer.info

    try:
        listening = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        found = [line.split()[1] for line in listening.splitlines()[1:] if line.split()[3] == "0A"]
        assert [place for place in found if place.endswith(f":{at:04X}")] == [f"0100007F:{at:04X}"]
        assert viewing(at, look)["capabilities"] == []
    finally:
        view.close()


def test_a_taken_port_and_a_missing_package_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything starts, with the remedy; and by the process itself, if it is taken meanwhile.

    No run is begun here, whatever is wrong with the program.
    """
    at = free_port(SOCK_STREAM)
    view = LiveView(at, 0, [])
    try:
        for begun in (lambda: foxglove_hint(at), lambda: LiveView(at, 0, [])):
            with pytest.raises(LinkError) as taken:
                begun()
            assert f"foxglove: 127.0.0.1:{at} cannot be listened on" in str(taken.value)
            assert "Choose another port with --foxglove-port" in str(taken.value)
    finally:
        view.close()
    cube = str(ROOT / "configs/cube.toml")
    options = parser().parse_args(["run", cube, "--foxglove-port", str(at)])
    with pytest.raises(ConfigurationError, match="is Foxglove's: add --foxglove"):
        foxglove_port(options)
    options = parser().parse_args(["run", cube, "--foxglove", "--foxglove-port", str(at)])
    assert foxglove_port(options) == at and foxglove_hint(at).endswith(f"ws://127.0.0.1:{at}")
    assert foxglove_port(parser().parse_args(["run", cube])) is None
    monkeypatch.setitem(sys.modules, "foxglove", None)
    with pytest.raises(LinkError) as missing:
        foxglove_hint(at)
    assert str(missing.value) == live_view.EXTRA and "\n" not in live_view.EXTRA


def test_a_second_arm_is_shown() -> None:
    """By what the driver heard of it: frames at 50 Hz, its words, the report of its grasp; and its shapes."""
    at, q = free_port(SOCK_STREAM), np.array([0.0, 0.5, 0.0, -1.2, 0.0, 0.6, 0.0])
    c = load_configuration(ROOT / "configs" / "two_arms.toml")
    view = LiveView(at, 0, [name for name in SHOWN if name in recorded_topics("emulated")])
    shown, log = Recorder(view, c), GraspInputLog(0)
    place, upright = np.array([1.2, 0.1, 0.3]), np.array([1.0, 0.0, 0.0, 0.0])
    for n in range(50):
        said = PartnerWords(n, place, upright, q, 0.03, np.array([0.0, 2.0]), False, "touch", "")
        log.words(n, n * 2_000_000, said)
    report = GraspReport(
        7, place, upright, np.zeros(6), True, False, "TOUCH", "full", "", 0.0, 2.0, 0.1, 2.0, 0.0
    )

    async def look(viewer: Viewer) -> dict[str, list[bytes]]:
        names = await viewer.subscribe("/tf", "/scene", "/partner_words", "/grasp_report")
        await asyncio.sleep(0.3)
        block = log.rest(100_000_000)
        assert block is not None
        shown.begin(0)
        shown.take("grasp_inputs", block)
        shown.take("grasp_report", report)
        found: dict[str, list[bytes]] = {}
        while (heard := await viewer.hear(1.0)) is not None:
            found.setdefault(names[heard[0]], []).append(heard[2])
        return found

    try:
        found = viewing(at, look)
    finally:
        view.close()
    frames = [FrameTransforms.FromString(data).transforms for data in found["/tf"]]
    hands = [f.translation for sent in frames for f in sent if f.child_frame_id == HAND]
    assert len(hands) == len(found["/partner_words"]) == 5
    assert hands[0].x == pytest.approx(1.2)
    (scene,) = (SceneUpdate.FromString(data) for data in found["/scene"])
    assert HAND in {entity.frame_id for entity in scene.entities}
    (told,) = (coder_of(GraspReport).decode(data) for data in found["/grasp_report"])
    assert told.state == "TOUCH"
