"""A real arm's run with a second arm: `zerog emulate` stands in for both controllers of the cell."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_DGRAM

import pytest

from bench.fri_run import CLIENT, CONTROLLER, Controller
from bench.live_run import PATIENCE_S, ROOT, LiveRun
from hil.common.free_port import free_port
from hil.configuration import load_configuration
from hil.configuration.load_stamp import load_stamp
from hil.messaging.grasp_messages import GraspReport
from tests.hil.loop.partner.test_grasp_loop import PLAN
from tests.hil.processes.test_live_partner import MOST_N, partner

SECOND = "127.0.0.3"  # address of the second controller
OVER_S = 40.0  # within which the plan of three seconds must be over, however busy the machine
ZEROS = ", ".join(["0.0"] * 6)


def real_cell(folder: Path) -> Path:
    """The configuration of two arms as that of a real first one, both ends on this machine."""
    text = (ROOT / "configs" / "two_arms.toml").read_text(encoding="utf-8")
    (folder / "quick.toml").write_text(PLAN.replace("[0.0, 15.0, 0.0]", "[0.0, 5.0, 0.0]"))
    fri = f'bind_address = "{CLIENT}"\ncontroller_address = "{CONTROLLER}"\n'
    fri += 'wrench_frame = "base"\nwrench_sign = 1\nsample_time_ms = 4.0'
    why = "the arm is emulated beside the run"
    found = "mass_kg = 0.0\nmass_interval_kg = 0.01\nmoment_kg_mm = [0.0, 0.0, 0.0]\n"
    found += "moment_interval_kg_mm = [0.1, 0.1, 0.1]\n"
    found += f"inertia_kg_m2 = [{ZEROS}]\ninertia_interval_kg_m2 = [{ZEROS}]\n"
    for old, new in (
        (r'"robots/', f'"{ROOT}/configs/robots/'),
        (r"grasps/drag.toml", f"{folder}/quick.toml"),
        (r"\[run\]", f'[run]\nruntime_directory = "{folder}/bus"\nstate_directory = "{folder}/state"'),
        (r"float_at_start = true", "float_at_start = false"),
        (r"grip_n = 25.0", "grip_n = 25.0\nclearance_mm = 20.0"),  # the plan begins around the bar
        (r"uncompensated = .*", ""),
        (r"\[partner\] .*", f'[partner]\nport = {free_port(SOCK_DGRAM)}\ncontroller_address = "{SECOND}"'),
    ):
        assert re.search(old, text), old
        text = re.sub(old, new, text, count=1)
    text = text.replace("[emulator]", "[emulator]\nmissed_answers = 100", 1)  # as a busy machine needs
    text += f'\n[fri]\nport = {free_port(SOCK_DGRAM)}\n{fri}\n\n[fri.override]\nwrench_check = "{why}"\n'
    file = folder / "cell.toml"
    file.write_text(text, encoding="utf-8")
    stamp = load_stamp(load_configuration(file))
    text = text.replace('kind = "emulated"', 'kind = "fri"', 1)
    file.write_text(f'{text}\n[mockup.found]\nstamp = "{stamp}"\n{found}', encoding="utf-8")
    return file


@pytest.fixture
def cell(tmp_path: Path) -> Iterator[tuple[LiveRun, Controller]]:
    """A run, and both controllers that it and its partner command."""
    run = LiveRun(tmp_path, configuration=real_cell(tmp_path))
    controller = Controller(run.configuration, tmp_path)
    try:
        run.wait(lambda: "READY" in run.text, PATIENCE_S)
        yield run, controller
    finally:
        run.close()
        controller.close()


def test_two_controllers_are_led_over_the_wire(cell: tuple[LiveRun, Controller], tmp_path: Path) -> None:
    """Nothing floats before somebody says where the second arm is; then it grasps and releases, as with an
    emulated first arm, below the limit of force, and no command breaks one of the arm's."""
    run, controller = cell
    assert f"the second arm's controller at {SECOND}" in controller.text
    reply = run.ask("float")
    assert not reply.accepted
    assert "nobody says where the second arm is" in reply.text
    reports, states, peaks = run.bus.subscriber("grasp_report", GraspReport), set(), [0.0]
    lead = partner(run, tmp_path)
    try:
        run.wait(lambda: not run.status()["float_refused"])
        time.sleep(0.5)
        reply = run.ask("float")
        assert reply.accepted, reply.text

        def over() -> bool:
            for report in reports.drain():
                states.add(report.state)
                peaks.append(report.peak)
            return lead.poll() is not None or "-> HOLDING" in run.text

        run.wait(over, OVER_S)
    finally:
        lead.kill()
        said, _ = lead.communicate()
    assert "the plan is over" in said, f"{said}\n{controller.text}"
    assert {"GRASPED", "RELEASING"} <= states  # a touch may last for less than what is heard
    assert 2.0 < max(peaks) < MOST_N
    assert controller.state()["violations"] == 0
