"""What a first start compiles: processor time, memory, kernels and specialisations, with an empty cache.

python -m bench.compile_table [configs/cube.toml] [--parts driver,emulator sim,planner] [--apart] [--most 25]

A part is a process in which the kernels of one process after the other are compiled. All parts run at the
same time and share one cache, as in a run; with --apart they run one after the other, each with a cache of
its own, so that what more than one of them compiles shows in full. Seconds are processor time: they hold
on a busy machine as well.
"""

import argparse
import importlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

PARTS = ("driver", "sim", "planner", "emulator")
PACKAGES = ("hil", "drivers", "sim", "planner")
OWN_WORK = "typing and lowering (Python)"
RECORD = re.compile(r"Record\(\[.*?\]\);\d+;(True|False)|Record\(\[.*?nbytes=\d+\)?")
LONGEST = 110  # letters of a signature that are printed

# numba's functions that a phase goes by; what lies within none of them is Python's typing and lowering
PHASES = (
    ("numba.core.codegen", "CPUCodeLibrary", "_optimize_functions", "LLVM optimisation"),
    ("numba.core.codegen", "CPUCodeLibrary", "_optimize_final_module", "LLVM optimisation"),
    ("numba.core.codegen", "CPUCodeLibrary", "_finalize_final_module", "native code"),
    ("numba.core.codegen", "CPUCodeLibrary", "add_ir_module", "handing over and linking"),
    ("numba.core.codegen", "CPUCodeLibrary", "finalize", "handing over and linking"),
    ("numba.core.caching", "FunctionCache", "save_overload", "saving"),
    ("numba.core.caching", "FunctionCache", "load_overload", "loading"),
)


class Clock:
    """Processor time by name, of which what lies within another is not counted twice."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._open: list[tuple[str, float, float]] = []

    def begin(self, name: str) -> None:
        """Count for `name` from now on."""
        self._open.append((name, time.process_time(), 0.0))

    def end(self) -> float:
        """Go on with what was counted before; return the seconds without those of what lay within."""
        name, since, within = self._open.pop()
        whole = time.process_time() - since
        if self._open:
            outer, outer_since, outer_within = self._open[-1]
            self._open[-1] = (outer, outer_since, outer_within + whole)
        self.seconds[name] += whole - within
        return whole - within


def compile_part(names: list[str], configuration: Path) -> dict[str, Any]:
    """Compile the kernels of some processes in this one and return what it took."""
    from numba.core import event

    from hil.configuration import load_configuration

    phases, kernels = Clock(), Clock()
    rows: list[tuple[str, str, float]] = []

    class Recorder(event.Listener):
        def on_start(self, _: event.Event) -> None:
            kernels.begin("")
            phases.begin(OWN_WORK)

        def on_end(self, ended: event.Event) -> None:
            phases.end()
            function = ended.data["dispatcher"].py_func
            signature = ", ".join(str(argument) for argument in ended.data["args"])
            rows.append((f"{function.__module__}.{function.__qualname__}", signature, kernels.end()))

    for module, owner, name, phase in PHASES:
        _count(getattr(importlib.import_module(module), owner), name, phase, phases)
    event.register("numba:compile", Recorder())
    c = load_configuration(configuration)
    warm = [importlib.import_module(f"hil.processes.mains.{name}").warm_core for name in names]
    begin = time.process_time()
    made = [make(c) for make in warm]
    used = resource.getrusage(resource.RUSAGE_SELF)
    assert len(made) == len(names)
    return {
        "seconds": used.ru_utime + used.ru_stime,
        "warming": time.process_time() - begin,
        "peak_mib": used.ru_maxrss / 1024.0,
        "phases": dict(phases.seconds),
        "rows": rows,
    }


def _count(owner: type, name: str, phase: str, clock: Clock) -> None:
    inner: Callable[..., Any] = getattr(owner, name)

    def counted(*arguments: Any, **named: Any) -> Any:
        clock.begin(phase)
        try:
            return inner(*arguments, **named)
        finally:
            clock.end()

    setattr(owner, name, counted)


def main() -> int:
    """Compile everything and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("configuration", nargs="?", type=Path, default=Path("configs/cube.toml"))
    parser.add_argument("--parts", nargs="+", default=list(PARTS), metavar="NAMES")
    parser.add_argument("--apart", action="store_true", help="one after the other, each with its own cache")
    parser.add_argument("--most", type=int, default=25, help="how many of the costliest are printed")
    parser.add_argument("--of", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.of:
        print(json.dumps(compile_part(options.of.split(","), options.configuration)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        parts = _compiled(options.parts, options.configuration, Path(folder), options.apart)
        print(f"{options.configuration}, wall time {time.monotonic() - begin:.1f} s\n")
    print_parts(parts)
    print_costliest(parts, options.most)
    return 0


def _compiled(parts: list[str], configuration: Path, folder: Path, apart: bool) -> dict[str, dict[str, Any]]:
    """Return what each part took."""
    started = {}
    for number, names in enumerate(parts):
        cache = folder / f"cache_{number if apart else 0}"
        command = [sys.executable, "-m", "bench.compile_table", str(configuration), "--of", names]
        environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "OPENBLAS_NUM_THREADS": "1"}
        started[names] = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        if apart:
            started[names].wait()
    return {names: json.loads(popen.communicate()[0]) for names, popen in started.items()}


def print_parts(parts: dict[str, dict[str, Any]]) -> None:
    """Print a line for each part, the sum, and how much is compiled more than once."""
    print(f"{'part':<22}{'CPU s':>7}{'warming':>9}{'peak MiB':>10}{'kernels':>9}{'spec.':>7}{'s':>7}", end="")
    print(f"{'numba':>7}{'s':>7}   specialisations of the project's own kernels and of numba's")
    sums: Counter[str] = Counter()
    for names, part in parts.items():
        own = [row for row in part["rows"] if is_own(row[0])]
        theirs = [row for row in part["rows"] if not is_own(row[0])]
        line = {
            "cpu": part["seconds"],
            "warming": part["warming"],
            "peak": part["peak_mib"],
            "kernels": len({row[0] for row in own}),
            "own": len(own),
            "own_s": sum(row[2] for row in own),
            "numba": len(theirs),
            "numba_s": sum(row[2] for row in theirs),
        }
        sums.update(line)
        _print_line(names, line)
    _print_line("sum", sums)
    times = Counter((row[0], row[1]) for part in parts.values() for row in part["rows"])
    own = [key for key in times if is_own(key[0])]
    print(f"\ndistinct: {len({key[0] for key in own})} kernels in {len(own)} specialisations")
    for what, keys in (("own", own), ("numba's", [key for key in times if not is_own(key[0])])):
        seconds = [
            row[2]
            for key in keys
            if times[key] > 1
            for row in [row for part in parts.values() for row in part["rows"] if (row[0], row[1]) == key][1:]
        ]
        print(f"compiled again in another part, {what}: {len(seconds)} specialisations, {sum(seconds):.1f} s")
    phases: Counter[str] = Counter()
    for part in parts.values():
        phases.update(part["phases"])
    print("phases: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in phases.most_common()))


def _print_line(name: str, line: dict[str, float]) -> None:
    print(
        f"{name:<22}{line['cpu']:7.1f}{line['warming']:9.1f}{line['peak']:10.0f}{line['kernels']:9.0f}"
        f"{line['own']:7.0f}{line['own_s']:7.1f}{line['numba']:7.0f}{line['numba_s']:7.1f}"
    )


def print_costliest(parts: dict[str, dict[str, Any]], most: int) -> None:
    """Print the functions and the specialisations that take longest, what they call not counted."""
    rows = [row for part in parts.values() for row in part["rows"]]
    seconds: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for name, _, took in rows:
        seconds[name] += took
        count[name] += 1
    print("\ncostliest functions: s, specialisations")
    for name, took in seconds.most_common(most):
        print(f"{took:7.2f}{count[name]:5d}  {name}")
    print("\ncostliest specialisations: s")
    for name, signature, took in sorted(rows, key=lambda row: -row[2])[:most]:
        print(f"{took:7.2f}  {name}({short(signature)})")


def short(signature: str) -> str:
    """Return a signature without what records hold, cut to a line."""
    text = RECORD.sub("Record", signature).replace(", aligned=True", "").replace("Array(float64, ", "f8(")
    return text if len(text) <= LONGEST else text[: LONGEST - 2] + " …"


def is_own(name: str) -> bool:
    """Return whether a function is the project's."""
    return name.split(".", 1)[0] in PACKAGES


if __name__ == "__main__":
    sys.exit(main())
