"""What a live loop's processes note of themselves, in lock-step."""

from drivers.emulation.emulation_log import EmulationLog
from drivers.emulation.port_log import PortLog
from drivers.emulation.truth_log import TruthLog
from hil.loop.driver.cycle_log import CycleLog
from hil.loop.input_log import DriverInputLog, PlannerTurnLog, SimTurnLog, SupervisorTurnLog
from hil.loop.sensor_log import SensorInputLog


class LockStepLogs:
    """The logs, for a listener."""

    def __init__(self, sample_time: float) -> None:
        self.cycles, self.truth = CycleLog(sample_time), TruthLog(sample_time)
        self.port = PortLog(sample_time)
        self.driver, self.sim = DriverInputLog(sample_time, 0), SimTurnLog(0)
        self.sensor = SensorInputLog(0)
        self.planner, self.supervisor = PlannerTurnLog(0), SupervisorTurnLog(0)
        self.emulator = EmulationLog(sample_time, 0)
