"""All tests: python -m tests [arguments of pytest].

Those that have the machine for themselves run one after the other and leave about a core idle. In that core
the others run, which give way at once: the system runs them only where nobody else wants to. Those that keep
all cores busy themselves come last.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hil.configuration import load_configuration
from hil.processes.first_start.stage import compile_first

ROOT = Path(__file__).resolve().parents[1]
WARMED = ("cube",)  # what nearly all live runs need; two parts of about the same length
SIDE_BY_SIDE = ("-n", "2", "--dist", "loadfile", "-m", "not alone and not filling")


def main(arguments: Sequence[str]) -> int:
    """Run the tests and return the first status that is not 0."""
    if not arguments:  # a part of the tests compiles what it needs
        for name in WARMED:
            path = ROOT / "configs" / f"{name}.toml"
            compile_first(load_configuration(path), path, (), lambda _: None)
    with tempfile.TemporaryFile() as printed:
        others = started((*SIDE_BY_SIDE, *arguments), stdout=printed, preexec_fn=give_way)
        try:
            statuses = [started(("-m", "alone", *arguments)).wait(), others.wait()]
        finally:
            others.terminate()
        printed.seek(0)
        sys.stdout.buffer.write(printed.read())
        sys.stdout.flush()
    statuses.append(started(("-m", "filling", *arguments)).wait())
    return next((status for status in statuses if status), 0)


def started(arguments: Sequence[str], **how: object) -> "subprocess.Popen[bytes]":
    """Start pytest."""
    return subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, **how)  # type: ignore[call-overload]


def give_way() -> None:
    """Run only where nobody else wants to."""
    os.nice(19)
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
