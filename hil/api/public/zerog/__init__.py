"""The emulator from Python: runs as arrays and tables, runs in lock-step, the running daemon.

    import zerog

    run = zerog.load("run.mcap")
    run.frame("cycles")[["t_s", "v_x_m_s"]]
    again = zerog.simulate(run.configuration, {"emulator.delay_ms": 20.0})
    with zerog.Daemon() as daemon:
        daemon.push((30.0, 0.0, 0.0), duration_ms=100.0)

These names are kept from version to version; all else in the package may change. See docs/use/python.md.
"""

from hil.api.configuration import Configuration
from hil.api.criteria import Criterion
from hil.api.daemon import Daemon, Status
from hil.api.impulses import Impulse, Push
from hil.api.loading import load
from hil.api.run import RecordingWarning, Run
from hil.api.simulating import simulate
from hil.common.errors import (
    ConfigurationError,
    LinkError,
    OperatorError,
    RecordingError,
    SimulationError,
    TraceError,
    ZeroGError,
)

__all__ = [
    "Configuration",
    "ConfigurationError",
    "Criterion",
    "Daemon",
    "Impulse",
    "LinkError",
    "OperatorError",
    "Push",
    "RecordingError",
    "RecordingWarning",
    "Run",
    "SimulationError",
    "Status",
    "TraceError",
    "ZeroGError",
    "load",
    "simulate",
]
