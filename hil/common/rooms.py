"""The house: its rooms, and which rooms each may import. The only place where that is said.

The docstrings of the rooms and the table in docs/architecture.md repeat it, and are tested against it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Room:
    """One line of the table: a folder with all that lies below it.

    Attributes:
        path: of the folder, from the root of the sources.
        what: lives there.
        imports: the rooms that it may import; those that stand above it in the table, and no others.
    """

    path: str
    what: str
    imports: tuple[str, ...]


COMMON, CONFIGURATION, MESSAGING = "hil/common", "hil/configuration", "hil/messaging"
VOCABULARY = (COMMON, CONFIGURATION, MESSAGING)
KINEMATICS, BRANCHES, FOLLOWING = "planner/kinematics", "planner/branches", "planner/following"
CHAIN, ASSEMBLY, DRIVES, INVERSE = "sim/chain", "sim/assembly", "sim/drives", "planner/inverse"
EXPORTS = "sim/exports"
ROBOT, FRI, EMULATION = "drivers/robot", "drivers/fri", "drivers/emulation"
SENSOR = "drivers/sensor"
VEHICLE, CARRIED = "drivers/base", "planner/base"
WRENCH, LOOP, RECORDING, PROCESSES = "hil/wrench", "hil/loop", "hil/recording", "hil/processes"
ANALYSIS, TRIALS, DASHBOARD = "hil/analysis", "hil/trials", "hil/dashboard"
WORKBENCH = "hil/workbench"
FORCE = "hil/force"
COMPLEMENTARITY, SURFACES = "sim/complementarity", "sim/surfaces"
PARTS, INSERTION = "sim/mating", "sim/insertion"


ROOMS = (
    Room(COMMON, "vocabulary without any dependency: arrays, errors, geometry, clocks, kernel cache", ()),
    Room(CONFIGURATION, "TOML files, typed and frozen, and what follows from them alone", (COMMON,)),
    Room(MESSAGING, "what is said and how it travels: messages, codec, topics, bus, the door of pages",
         (COMMON,)),
    Room(ROBOT, "models of arms: links, inertia, flange motion, an arm under impedance control",
         (COMMON, CONFIGURATION)),
    Room(FRI, "KUKA's interface: layout, codec, session, client", (COMMON, CONFIGURATION)),
    Room(SENSOR, "force-torque sensors of their own clock: wire, stamps, readings, what is wrong with them",
         (COMMON, CONFIGURATION, FRI)),
    Room(VEHICLE, "a base that carries the arm: what its vehicle is told, and one that is emulated",
         (COMMON, CONFIGURATION)),
    Room(EMULATION, "what stands in for a robot: controller, arm, wrench estimate, force sensor, operator",
         (*VOCABULARY, ROBOT, FRI, SENSOR)),
    Room(COMPLEMENTARITY, "unilateral contacts with Coulomb friction: complementarity solvers, time stepping",
         (COMMON,)),
    Room(SURFACES, "parametric surfaces, and the point where two of them touch", (COMMON,)),
    Room(PARTS, "parts that mate and their laws: O-rings, snap fasteners, pegs",
         (COMMON, CONFIGURATION)),
    Room("sim/contact", "pins and holes, seals and latches: shapes, manifold, contact handling",
         (COMMON, CONFIGURATION, PARTS)),
    Room("sim/orbit", "relative motion about a circular orbit", (COMMON,)),
    Room("sim/docking", "a docking from placing to outcome",
         (COMMON, CONFIGURATION, PARTS, "sim/contact", "sim/orbit")),
    Room("sim/world", "the floating body: flight, motion, stops, scene, rewind, prediction",
         (*VOCABULARY, "sim/contact", "sim/docking")),
    Room(CHAIN, "serial chains of rigid bodies: kinematics, dynamics and their derivatives", (COMMON,)),
    Room(ASSEMBLY, "manipulators put together from components: database, chain, checks, interchange",
         (COMMON, CONFIGURATION, CHAIN)),
    Room(DRIVES, "motors, gears, friction, brakes, heat and joint controllers, and arms that have them",
         (COMMON, CHAIN, ASSEMBLY)),
    Room(EXPORTS, "models of manipulators for other programs", (COMMON, CHAIN, ASSEMBLY, DRIVES)),
    Room(INSERTION, "a flexible robot that pushes parts into each other",
         (COMMON, COMPLEMENTARITY, PARTS, CHAIN, ASSEMBLY, DRIVES)),
    Room(INVERSE, "inverse kinematics of any serial chain: Lagrange optimisation, passive chain",
         (COMMON, CHAIN)),
    Room(KINEMATICS, "the arm's geometry: forward and inverse kinematics", (COMMON, CHAIN)),
    Room(BRANCHES, "predicted paths become joint paths: dynamic programming over branches, or step by step",
         (*VOCABULARY, CHAIN, INVERSE, KINEMATICS)),
    Room(FOLLOWING, "from a plan to a command: law of motion, limiter, brakes, guard",
         (*VOCABULARY, KINEMATICS)),
    Room(CARRIED, "what carries an arm or observes two: its path, what is seen from it, what an arm corrects",
         (COMMON, CONFIGURATION)),
    Room("planner/workspace", "the certified set: where the object moves without a change of configuration",
         (COMMON, CONFIGURATION, CHAIN, INVERSE, KINEMATICS)),
    Room(FORCE, "continuous force: what lasting contact does to the loop, and what is done about it",
         (COMMON,)),
    Room(WRENCH, "from a sample of the wrench to impulses: filter, detector, witness, known forces",
         (*VOCABULARY, KINEMATICS, FORCE)),
    Room(LOOP, "the cores and the lock-step loop: driver, simulation, judge, trace",
         (*VOCABULARY, FORCE, WRENCH, ROBOT, FRI, SENSOR, VEHICLE, EMULATION, "sim/contact", "sim/docking",
          "sim/world", KINEMATICS, BRANCHES, FOLLOWING, CARRIED)),
    Room(RECORDING, "recordings: recorder, reader, repair, export, replay of the cores",
         (*VOCABULARY, LOOP, FRI, SENSOR, EMULATION, KINEMATICS, BRANCHES)),
    Room(PROCESSES, "the programs of a run: mains, real time, supervisor, bridge",
         (*VOCABULARY, WRENCH, LOOP, RECORDING, FRI, SENSOR, EMULATION, KINEMATICS, BRANCHES)),
    Room(ANALYSIS, "what a run comes to: figures, latency, report, recorded runs as traces",
         (*VOCABULARY, FORCE, WRENCH, LOOP, RECORDING, PROCESSES, ROBOT, FRI, EMULATION, "sim/world",
          KINEMATICS, "planner/workspace")),
    Room(TRIALS, "many runs: push experiments, soak, docking, validation, mating",
         (*VOCABULARY, LOOP, RECORDING, PROCESSES, ANALYSIS, ROBOT, FRI, SENSOR, EMULATION, "sim/contact",
          "sim/docking", PARTS, INSERTION, KINEMATICS, BRANCHES)),
    Room(DASHBOARD, "the operator's page and its process",
         (*VOCABULARY, WRENCH, LOOP, RECORDING, PROCESSES, ANALYSIS, ROBOT)),
    Room(WORKBENCH, "the workbench: manipulators assembled, driven and designed, and its page",
         (*VOCABULARY, CHAIN, ASSEMBLY, DRIVES, EXPORTS, INVERSE, LOOP, RECORDING, ANALYSIS, TRIALS)),
    Room("hil/api", "the emulator from Python, public as `zerog`: runs, lock-step, the daemon",
         (*VOCABULARY, LOOP, RECORDING, PROCESSES, ANALYSIS)),
    Room("hil/commands", "the command line and the bodies of its commands",
         (*VOCABULARY, FORCE, WRENCH, LOOP, RECORDING, PROCESSES, ANALYSIS, TRIALS, DASHBOARD, WORKBENCH,
          ROBOT, FRI, SENSOR, EMULATION, ASSEMBLY, EXPORTS, KINEMATICS, "planner/workspace")),
)  # fmt: skip


def importers(path: str) -> list[str]:
    """Return the rooms that may import a room, in the table's order."""
    return [room.path for room in ROOMS if path in room.imports]


def in_words(paths: list[str] | tuple[str, ...]) -> str:
    """Return a list of rooms as the rooms' docstrings say it."""
    return "every room" if len(paths) >= len(ROOMS) - 1 else ", ".join(paths) or "no room"
