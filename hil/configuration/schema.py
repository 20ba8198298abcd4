"""What a configuration may say: all its tables.

A default stands only where one value is right for almost everybody; what describes the laboratory
(robot, object, stops) must be written down.
"""

from hil.configuration.admittance import Admittance
from hil.configuration.base import Base
from hil.configuration.docking import Docking
from hil.configuration.force import Force
from hil.configuration.grasp import Grasp, Partner
from hil.configuration.port import Port
from hil.configuration.quantities import Section
from hil.configuration.real_time import RealTime
from hil.configuration.shared import Shared
from hil.configuration.tables.body import EmulatedObject, FoundLoad, Mockup, Scene, Stops
from hil.configuration.tables.emulation import Emulator, Operator, RandomPushes, ScriptedPush, WrenchErrors
from hil.configuration.tables.motion import Interpolation, Planner, Simulation
from hil.configuration.tables.robot import Fri, Limits, Override, Robot
from hil.configuration.tables.run import Experiments, Network, Run
from hil.configuration.tables.sensor import Sensor, SensorErrors
from hil.configuration.tables.wrench import Approach, Detector, Filter

__all__ = [
    "Admittance", "Approach", "Base", "Configuration", "Detector", "Docking", "EmulatedObject", "Emulator",
    "Experiments", "Filter", "Force", "FoundLoad", "Fri", "Grasp", "Interpolation", "Limits", "Mockup",
    "Network", "Operator", "Override", "Partner", "Planner", "Port", "RandomPushes", "RealTime", "Robot",
    "Run", "Scene", "ScriptedPush", "Sensor", "SensorErrors", "Shared", "Simulation", "Stops", "WrenchErrors",
]  # fmt: skip


class Configuration(Section):
    """A whole run."""

    run: Run = Run()
    realtime: RealTime = RealTime()
    robot: Robot
    base: Base = Base()
    limits: Limits
    fri: Fri = Fri()
    sensor: Sensor = Sensor()
    object: EmulatedObject
    mockup: Mockup
    stops: Stops
    scene: Scene | None = None
    filter: Filter = Filter()
    detector: Detector = Detector()
    force: Force = Force()
    approach: Approach = Approach()
    simulation: Simulation = Simulation()
    planner: Planner = Planner()
    interpolation: Interpolation = Interpolation()
    emulator: Emulator = Emulator()
    operator: Operator = Operator()
    experiments: Experiments | None = None
    network: Network | None = None
    docking: Docking | None = None
    admittance: Admittance | None = None
    port: Port | None = None
    grasp: Grasp | None = None
    partner: Partner | None = None
    shared: Shared | None = None
