"""The table of processes: what runs, from which module, and how urgent it is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Process:
    """One line of the table."""

    name: str
    module: str
    real_time_priority: int  # 0: an ordinary process
    emulation_only: bool = False
    carried_only: bool = False  # where a base carries the arm, and its vehicle is emulated
    sites: tuple[str, ...] = ("robot",)  # where it runs if the run is split over two hosts
    split_only: bool = False
    apart: bool = False  # looks on, on request: the arm moves without it, and whether it lives or not
    revived: bool = False  # such a one is started again when it has ended


# Only the driver and the emulated controller are real-time: a busy simulation under SCHED_FIFO would use
# up the kernel's real-time budget and stall the driver.
PROCESSES = {
    process.name: process
    for process in (
        Process("emulator", "hil.processes.mains.emulator", 70, emulation_only=True),
        Process("driver", "hil.processes.mains.driver", 60),
        Process("sim", "hil.processes.mains.sim", 0, sites=("compute",)),
        Process("planner", "hil.processes.mains.planner", 0, sites=("compute",)),
        Process("vehicle", "hil.processes.mains.vehicle", 0, carried_only=True),
        Process("bridge", "hil.processes.bridge.main", 0, sites=("robot", "compute"), split_only=True),
        Process("recorder", "hil.processes.mains.recorder", 0, apart=True),
        Process("dashboard", "hil.dashboard.main", 0, apart=True, revived=True),
        Process("foxglove", "hil.processes.mains.foxglove", 0, apart=True, revived=True),
    )
}


def processes_of(
    robot_kind: str, site: str = "", carried: bool = False, elsewhere: bool = False
) -> list[Process]:
    """Return the processes that a run with this kind of robot needs; of a split run, those of one site.

    `carried` says that the run emulates the vehicle of a base (`vehicle_emulated`), `elsewhere` that another
    run emulates its robot (`emulated_elsewhere`).
    """
    table = [
        p
        for p in PROCESSES.values()
        if not p.apart
        and ((robot_kind == "emulated" and not elsewhere) or not p.emulation_only)
        and (carried or not p.carried_only)
    ]
    return [p for p in table if (site in p.sites if site else not p.split_only)]
