"""The way of a new user, walked as its page tells it, in a clone of its own, its runs beside other work."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import nbclient
import nbformat
import pytest

from tests.documents import blocks
from tests.transcript import Step, lacking, steps_of, walked

PAGE = "docs/use/first_hour.md"
SECONDS = 900.0
LEAST_S = 1.0  # that the other work has computed, of far more
OTHER_WORK = """
import contextlib, sys, time
from pathlib import Path

while True:
    lives = False
    with contextlib.suppress(OSError):
        holders = [lock.read_text().strip() for lock in Path(sys.argv[1]).rglob("lock")]
        lives = any(holder and Path("/proc", holder).exists() for holder in holders)
    end = time.monotonic() + 0.1
    while lives and time.monotonic() < end:
        pass
    if not lives:
        time.sleep(0.1)
"""


def test_whoever_follows_the_page_comes_to_a_report_and_to_curves(tmp_path: Path, root: Path) -> None:
    clone = clone_of(root, tmp_path / "zero-g-emulator")
    steps = steps_of((clone / PAGE).read_text(encoding="utf-8"))
    runtime = tempfile.mkdtemp()  # short: sockets' paths are bounded
    environment = {"XDG_RUNTIME_DIR": runtime, "PYTHONPATH": f"{root}:{root / 'hil/api/public'}"}
    with other_work(runtime) as computed:
        printed = walked(steps, clone, environment, SECONDS)
        assert computed() > LEAST_S
    missing = {
        step.commands: lines
        for step, said in zip(steps, printed, strict=True)
        if (lines := lacking(step, said))
    }
    assert not missing, "\n".join(printed)
    assert (clone / "mine.html").stat().st_size > 10_000
    assert_curves_in_a_notebook(clone, environment)


def test_a_line_that_is_not_printed_is_found() -> None:
    step = Step("", ("...", "READY", "floated ... s: 2 pushes"))
    assert lacking(step, "READY\nfloated 3.0 s: 2 pushes\n") == []
    assert lacking(step, "READY\nfloated 3.0 s: 3 pushes\n") == ["floated ... s: 2 pushes"]
    assert lacking(step, "floated 3.0 s: 2 pushes\nREADY\n") == ["floated ... s: 2 pushes"]


def test_a_command_that_fails_ends_the_walk(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"(?s)status 3 after:.begun"):
        walked([Step("echo begun", ()), Step("(exit 3)", ()), Step("echo on", ())], tmp_path, {}, 10.0)


def clone_of(root: Path, folder: Path) -> Path:
    """What git has or would take; packages and compiled kernels are those of this Python."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, check=True, capture_output=True, text=True
    )
    for name in listed.stdout.splitlines():
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, folder / name)
    (folder / ".venv").mkdir()
    (folder / ".venv/bin").symlink_to(Path(sys.executable).parent)
    (folder / ".venv/.installed").touch()
    return folder


@contextmanager
def other_work(runtime: str) -> Iterator[Callable[[], float]]:
    """As many loops as there are cores, busy while a run lives; gives how long they have computed [s].

    Nothing but a run can fail because the machine is busy: all else only takes longer.
    """
    loops = [
        subprocess.Popen([sys.executable, "-c", OTHER_WORK, runtime]) for _ in range(os.cpu_count() or 1)
    ]
    try:
        yield lambda: sum(computing_time(loop.pid) for loop in loops)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def computing_time(pid: int) -> float:
    """Return how long a process has computed for itself [s]."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def assert_curves_in_a_notebook(clone: Path, environment: dict[str, str]) -> None:
    """The page's lines of Python, as a notebook runs them: two impulses in words, and a picture."""
    (cell,) = blocks(clone / PAGE, "python")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    nbclient.NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(clone)}}).execute(
        env={**os.environ, **environment}
    )
    outputs = notebook.cells[0].outputs
    words = "".join(output.text for output in outputs if output.output_type == "stream")
    assert len(re.findall("^Impulse", words, re.MULTILINE)) == 2, words
    assert any("image/png" in output.get("data", {}) for output in outputs)
