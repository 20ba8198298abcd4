"""The desk of a controller that stands for itself, and the port that it sends from."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.messaging.bus import Bus
from hil.messaging.messages import Reply, Request
from hil.processes.controller_alone import controller_directory, port_of
from hil.processes.controller_desk import ControllerDesk


class Desk:
    """A desk that is asked from another thread, as by another process."""

    def __init__(self, folder: Path, c: Configuration) -> None:
        self.bus, self.controller = Bus(folder), EmulatedController(c)
        self.desk = ControllerDesk(self.bus, Frames.from_configuration(c))
        self._folder = folder

    def ask(self, verb: str, **arguments: object) -> Reply:
        replies: list[Reply] = []

        def operator() -> None:
            bus = Bus(self._folder)
            replies.append(bus.ask(Request(0, verb, json.dumps(arguments)), timeout_s=20.0))
            bus.close()

        thread = Thread(target=operator)
        thread.start()
        while thread.is_alive():
            self.desk.serve(self.controller)
        return replies[0]


@pytest.fixture
def desk(tmp_path: Path, cube: Configuration) -> Iterator[Desk]:
    made = Desk(tmp_path, cube)
    yield made
    made.bus.close()


def with_ends(c: Configuration, client: str, controller: str, port: int = 49938) -> Configuration:
    ends = {"bind_address": client, "controller_address": controller, "port": port}
    return c.model_copy(update={"fri": c.fri.model_copy(update=ends)})


def test_it_sends_from_the_configured_port_where_it_can(cube: Configuration) -> None:
    """As a real controller: `fri.port`; where the client has it at the same address, the next one."""
    assert port_of(with_ends(cube, "127.0.0.1", "127.0.0.2"), None) == 49938
    assert port_of(with_ends(cube, "127.0.0.1", "127.0.0.1"), None) == 49939
    assert port_of(with_ends(cube, "0.0.0.0", "127.0.0.2"), None) == 49939
    assert port_of(with_ends(cube, "127.0.0.1", "127.0.0.1", 65535), None) == 65534
    assert port_of(with_ends(cube, "127.0.0.1", "127.0.0.2"), 50000) == 50000
    assert port_of(with_ends(cube, "127.0.0.1", "127.0.0.2"), 49938) == 49938
    for client in ("127.0.0.1", "0.0.0.0"):
        with pytest.raises(ConfigurationError, match="--port 49938 is the client's own"):
            port_of(with_ends(cube, client, "127.0.0.1"), 49938)


def test_its_socket_lies_beside_the_runs(tmp_path: Path) -> None:
    """Run and controller of one configuration find room in one folder."""
    assert controller_directory(str(tmp_path)).parent == tmp_path


def test_pushes_and_disturbances_are_handed_on_once(desk: Desk) -> None:
    """In the units of the wire, and each only once."""
    assert desk.ask("push", force_n=[3.0, 0.0, 0.0], duration_ms=100.0).accepted
    assert desk.ask("disturb", loss=0.5, seconds=2.0).accepted
    (push,), (disturbance,) = desk.desk.take_pushes(), desk.desk.take_disturbances()
    assert push.duration == pytest.approx(0.1) and push.force_world[0] == 3.0
    assert disturbance.loss == 0.5 and disturbance.duration == 2.0
    assert desk.desk.take_pushes() == [] and desk.desk.take_disturbances() == []


def test_a_weight_hangs_until_it_is_taken_off(desk: Desk) -> None:
    """Its force is there in the next cycle, its lever in mm from the tcp, and gone with 0 kg."""
    assert desk.ask("weight", weight_kg=2.0, lever_mm=[0.0, 100.0, 0.0]).accepted
    desk.controller.advance()
    arm = desk.controller.arm
    force = np.array([0.0, 0.0, -2.0 * 9.81])
    R, p = arm.T_world_object[:3, :3], arm.T_world_object[:3, 3]
    tcp = arm.T_base_tcp  # the base stands in the world's origin
    expected = np.cross(tcp[:3, 3] + tcp[:3, :3] @ [0.0, 0.1, 0.0] - p, force)
    np.testing.assert_allclose(desk.controller.operator.wrench_world[:3], force)
    np.testing.assert_allclose(desk.controller.operator.wrench_world[3:], expected, atol=1e-9)
    assert R.shape == (3, 3)
    assert desk.ask("weight", weight_kg=0.0).accepted
    desk.controller.advance()
    assert not desk.controller.operator.wrench_world.any()


@pytest.mark.parametrize(
    ("verb", "arguments", "words"),
    [
        ("float", {}, "known: push, disturb, weight"),
        ("weight", {"weight_kg": -1.0}, "weight_kg"),
        ("weight", {"weight_kg": 11.0}, "weight_kg"),
        ("weight", {"weight_kg": 1.0, "lever_mm": [1.0]}, "lever_mm"),
        ("weight", {"kg": 1.0}, "weight"),
        ("push", {"force_n": [999.0, 0.0, 0.0], "duration_ms": 100.0}, "at most 200 N"),
        ("disturb", {}, "say what is to go wrong"),
    ],
)
def test_what_it_cannot_do_is_refused_in_one_line(
    desk: Desk, verb: str, arguments: dict[str, object], words: str
) -> None:
    """With the reason, and the state of the controller as in every reply."""
    reply = desk.ask(verb, **arguments)
    assert not reply.accepted and words in reply.text and "\n" not in reply.text
    assert json.loads(reply.status)["session"] == "monitor" and json.loads(reply.status)["violations"] == 0
    assert desk.controller.operator.weight is None
