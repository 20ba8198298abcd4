"""After warming nothing is compiled any more: a first call in the live loop would stall it for seconds."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# in a process of its own, since in this one other tests have compiled everything long ago
PROGRAM = """
import gc
from pathlib import Path
from numba.core.dispatcher import Dispatcher
from bench.fidelity import changed
from drivers.emulation.controller.controller import warm
from hil.configuration import load_configuration
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import TraceRecorder

c = changed(load_configuration(Path("configs/cube.toml")), "operator.random", first=1.0)
warm(c)
loop = LockStep(c)
for core in (loop._driver, loop._sim, loop._planner):
    core.warm()

def compiled():
    kernels = [d for d in gc.get_objects() if isinstance(d, Dispatcher)]
    return {(d.__module__, d.__name__, s) for d in kernels for s in d.signatures}

TraceRecorder.finish = lambda self: None  # the trace and its ideal body are no part of the live loop
before = compiled()
loop.run(3.0)
for module, name, signature in sorted(compiled() - before, key=str):
    print(module, name, signature)
"""


def test_nothing_is_compiled_after_warming() -> None:
    """Three seconds of the whole loop, a push among them, need no signature that warming has not made."""
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    assert not ended.stdout, ended.stdout
