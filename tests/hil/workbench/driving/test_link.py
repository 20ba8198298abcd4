"""The bus: the documented example drives an arm, requests are answered, nonsense is refused."""

import json
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from hil.messaging.bus import Bus
from hil.messaging.codec import decode, encode
from hil.messaging.messages import Request
from hil.workbench.driving.desk import answer
from hil.workbench.driving.link import Link, drive_directory
from tests.documents import ROOT, blocks

EXAMPLE = next(block for block in blocks(ROOT / "docs/use/drive.md", "python") if "drive_command" in block)


def test_the_documented_program_drives_the_arm(lwr, tmp_path):
    """As it stands in the page, in a process of its own: the tip moves along y, and rests at its end."""
    program = tmp_path / "client.py"
    program.write_text(EXAMPLE, encoding="utf-8")
    link = Link(tmp_path / "bus", lwr)
    try:
        lwr.take(link.source())
        start = lwr.arm.T_base_tip[:3, 3]
        with subprocess.Popen(
            [sys.executable, str(program), str(tmp_path / "bus")], cwd=ROOT, env={"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE, text=True,
        ) as client:  # fmt: skip
            while client.poll() is None:
                lwr.step()
                link.turn()
                time.sleep(lwr.period)
            out = client.stdout.read()
        for _ in range(200):
            lwr.step()
    finally:
        link.close()
    assert client.returncode == 0
    moved = lwr.arm.T_base_tip[:3, 3] - start
    assert moved[1] > 0.015 and np.abs(moved[[0, 2]]).max() < 1e-3
    assert not lwr.follower.twist.any() and lwr.lost == ""
    assert out.count("tip at") > 50 and "reachable: True" in out


def test_requests_are_answered_over_the_socket(lwr, tmp_path):
    """Variables, parameters, a change; bytes that are none get a refusal, and the desk lives on."""
    link, bus = Link(tmp_path, lwr), Bus(tmp_path)
    ends = threading.Event()

    def serve():
        while not ends.is_set():
            link.turn()
            time.sleep(0.002)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        reply = bus.ask(Request(1, "set", '{"tip_limits.speed_m_s": 0.05}'))
        assert reply.accepted and json.loads(reply.status) == {"tip_limits.speed_m_s": 0.05}
        variables = json.loads(bus.ask(Request(1, "variables", "{}")).status)
        assert variables.keys() == lwr.variables().keys()
        socket = bus._socket(3)  # a request of raw bytes
        socket.connect(bus.endpoint("request"))
        socket.send(b"nonsense")
        reply, _ = decode(socket.recv())
        assert not reply.accepted and "bus:" in reply.text
        socket.send(encode(reply))
        reply, _ = decode(socket.recv())
        assert not reply.accepted and "no request" in reply.text
    finally:
        ends.set()
        thread.join()
        bus.close()
        link.close()
    assert lwr.limits.linear == 0.05


@pytest.mark.parametrize(
    ("verb", "arguments", "match"),
    [
        ("set", '{"tip_limits.sped_m_s": 1}', "near: tip_limits.speed_m_s"),
        ("set", '{"tip_limits.speed_m_s": "a"}', "names and numbers"),
        ("set", "[1]", "names and numbers"),
        ("set", "{", "names and numbers"),
        ("fly", "{}", "variables, parameters, set"),
    ],
)
def test_what_cannot_be_done_is_said(lwr, verb, arguments, match):
    """Not accepted, with the reason; nothing has changed."""
    before = lwr.parameters()
    reply = answer(lwr, Request(1, verb, arguments))
    assert not reply.accepted and match in reply.text
    assert lwr.parameters() == before
    assert answer(lwr, Request(1, "parameters", "")).accepted


def test_a_drive_has_a_folder_of_its_own(tmp_path):
    """A running emulator in the same run-time directory is not disturbed."""
    assert drive_directory(str(tmp_path)) == tmp_path / "drive"
