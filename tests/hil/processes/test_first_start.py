"""A first start compiles all that the processes then ask for, once, and says what is left."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

from bench.live_run import ROOT, LiveRun
from hil.common.kernel_cache import SETTING, compiled_for, mark_compiled
from hil.configuration import Configuration, load_configuration
from hil.processes.first_start.kernels import WARMED, kernels_of, keys_of, parts_of, warmed_names
from hil.processes.first_start.stage import FirstStart
from hil.processes.table import processes_of

CUBE = ROOT / "configs" / "cube.toml"
PORT_MODULES = ("law", "balance", "stepping")

# In processes of their own: this one has compiled long ago, and keeps its cache where it is.
STAGE = """
import json, os, sys, time
from pathlib import Path
from hil.common.kernel_cache import cache_folder, compiled_for
from hil.configuration import load_configuration
from hil.processes.first_start.kernels import WARMED
from hil.processes.first_start.stage import FirstStart

path = Path("configs/cube.toml")
first = FirstStart(load_configuration(path), path, WARMED)
left, texts = [], set()
while first.running:
    left.append(first.left)
    texts.add(first.text)
    time.sleep(0.05)
    first.turn()
print(json.dumps({
    "left": [*left, first.left], "texts": sorted(texts), "failed": first.failed,
    "in_cache": len(list(cache_folder().rglob("*.nbi"))), "compiled_for": sorted(compiled_for()),
}))
"""
WARMING = """
import importlib, sys
from pathlib import Path
from numba.core import event
from hil.configuration import load_configuration

with event.install_recorder("numba:compile") as compiled:
    importlib.import_module(f"hil.processes.mains.{sys.argv[1]}").warm_core(
        load_configuration(Path("configs/cube.toml"))
    )
for _, begun in compiled.buffer:
    print(begun.data["dispatcher"].py_func, begun.data["args"])
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder for kernels."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def told(cache: Path) -> dict[str, Any]:
    """What a first start with an empty cache has to tell."""
    said: dict[str, Any] = json.loads(ran(STAGE, cache))
    return said


def ran(program: str, cache: Path, *arguments: str) -> str:
    """What a program prints that keeps its kernels in `cache`."""
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {SETTING: str(cache)},
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_all_kernels_are_counted_down(told: dict[str, Any], cube: Configuration) -> None:
    """What is left falls from all kernels to none, and the kernel at hand is named for each part.

    Where this fails because kernels have come or gone, count them anew: `KERNELS`.
    """
    assert not told["failed"]
    assert told["in_cache"] == kernels_of(WARMED, cube)
    assert told["left"][0] == told["in_cache"] and told["left"][-1] == 0
    assert told["left"] == sorted(told["left"], reverse=True)
    assert told["compiled_for"] == sorted(keys_of(WARMED, cube))
    assert any(re.search(r"kernels left: driver \w+\.\w+, planner \w+\.\w+", text) for text in told["texts"])


def test_a_ports_kernels_are_counted_beside_the_emulators(cube: Configuration) -> None:
    """As many as there are in its room; nothing of it counts without a port."""
    at_port = load_configuration(ROOT / "configs" / "port.toml")
    modules = [importlib.import_module(f"drivers.emulation.port.{name}") for name in PORT_MODULES]
    own = {
        f"{module.__name__}.{name}"
        for module in modules
        for name, kernel in vars(module).items()
        if isinstance(kernel, Dispatcher) and kernel.py_func.__module__ == module.__name__
    }
    assert len(own) == kernels_of(["emulator"], at_port) - kernels_of(["emulator"], cube) > 0
    assert keys_of(["emulator", "driver"], cube) == ["emulator", "driver"]
    at_plate = load_configuration(ROOT / "configs" / "docking_real.toml")
    assert keys_of(["emulator"], at_plate) == ["emulator at a plate"]
    assert kernels_of(["emulator"], at_plate) > kernels_of(["emulator"], at_port)


@pytest.mark.parametrize("name", WARMED)
def test_a_process_compiles_nothing_after_it(told: dict[str, Any], cache: Path, name: str) -> None:
    """What the parts have compiled is all that a process asks for until it is ready."""
    assert not told["failed"]
    assert ran(WARMING, cache, name) == ""


def test_each_process_is_compiled_for_once(cube: Configuration) -> None:
    """Whatever runs on a host is in one part, and there are two parts if there are two processes."""
    docking = load_configuration(ROOT / "configs" / "docking.toml")
    for c in (cube, docking):
        for site in ("", "robot", "compute"):
            names = warmed_names(processes_of(c.robot.kind, site))
            parts = parts_of(names, c)
            assert sorted(name for part in parts for name in part) == sorted(names)
            assert len(parts) == 2
    assert parts_of([], cube) == [] and parts_of(["sim"], cube) == [["sim"]]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Another cache for what is started here."""
    monkeypatch.setenv(SETTING, str(tmp_path / "kernels-here"))
    yield tmp_path / "kernels-here"


def test_nothing_is_started_where_nothing_is_lacking(own_cache: Path, cube: Configuration) -> None:
    """A cache that is complete for these processes begins no part; other processes' kernels are lacking."""
    mark_compiled(keys_of(["driver", "sim"], cube))
    mark_compiled(keys_of(["planner", "emulator"], cube))
    assert compiled_for() == set(keys_of(WARMED, cube))
    assert not FirstStart(cube, CUBE, WARMED).running
    docking = load_configuration(ROOT / "configs" / "docking.toml")
    assert [name for name in WARMED if keys_of([name], docking)[0] not in compiled_for()] == ["sim"]


def test_a_part_that_fails_is_told(own_cache: Path, tmp_path: Path, cube: Configuration) -> None:
    """Nothing counts as compiled then, and who waits goes on."""
    first = FirstStart(cube, tmp_path / "none.toml", WARMED)
    while first.running:
        time.sleep(0.05)
        first.turn()
    assert first.failed and compiled_for() == set()


def test_a_run_that_is_ended_while_it_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during a first start ends it at once, in order, and leaves no part behind."""
    monkeypatch.setenv(SETTING, str(tmp_path / "kernels"))
    run = LiveRun(tmp_path)
    try:
        run.wait(lambda: "kernels left" in run.text)
        parts = children_of(run.popen.pid)
        assert len(parts) == 2
        run.popen.send_signal(signal.SIGINT)
        assert run.popen.wait(10.0) == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in parts)
    finally:
        run.popen.kill()
        run.popen.wait()


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text(encoding="ascii").split()
    ]
