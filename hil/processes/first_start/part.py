"""A part of a first start: compiles for some processes, says what it compiles, and ends.

python -m hil.processes.first_start.part driver,emulator configs/cube.toml
"""

import argparse
import gc
import importlib
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from numba.core.cpu import CPUContext

from hil.common.compile_news import compiling_told
from hil.common.parent_death import end_with_parent
from hil.configuration import load_configuration
from hil.processes.table import PROCESSES

# The compiler makes many small objects that live long: the collector would look through all of them again and
# again, for a tenth of the whole time.
SELDOM = (20_000, 50, 1000)


def main() -> int:
    """Compile for the processes that are named and return 0."""
    parser = argparse.ArgumentParser(prog="zerog-first-start")
    parser.add_argument("names")
    parser.add_argument("configuration", type=Path)
    parser.add_argument("--content", type=Path)  # stands in for what the configuration's file says now
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--parent", type=int, default=os.getppid())
    options = parser.parse_args()
    end_with_parent(options.parent)
    configuration = load_configuration(options.configuration, options.set, options.content)
    names = options.names.split(",")
    modules = {name: importlib.import_module(PROCESSES[name].module) for name in names}
    spare()
    for name, module in modules.items():
        with compiling_told(partial(print, name, flush=True)):
            module.warm_core(configuration)
    return 0


def spare() -> None:
    """Leave out what the compiler does for nobody; what it makes is the same."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
    # a function's second entry, for callers in C: nothing here has any
    CPUContext.create_cfunc_wrapper = _no_wrapper  # type: ignore[method-assign]


def _no_wrapper(*_: Any, **__: Any) -> None:
    return None


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # at once: all is written, and taking down the compiler's memory takes long
