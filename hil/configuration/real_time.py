"""What a configuration may say about punctuality: how each process of a run is scheduled."""

from typing import Annotated, Literal

from pydantic import Field

from hil.configuration.quantities import Quantity, Section


class RealTimeProcess(Section):
    """How one process is scheduled."""

    scheduler: Literal["fifo", "other"] = "other"  # fifo: only for driver and emulator
    priority: int = Field(default=0, ge=0, le=98)  # of SCHED_FIFO; 0: as in the table of processes
    nice: int = Field(default=0, ge=-20, le=19)  # of an ordinary process, or where fifo is not permitted
    cpus: tuple[Annotated[int, Field(ge=0, le=4095)], ...] = ()  # may run on these; empty: on all


class PunctualProcess(RealTimeProcess):
    """Driver and emulated controller: punctual unless told otherwise."""

    scheduler: Literal["fifo", "other"] = "fifo"
    nice: int = Field(default=-20, ge=-20, le=19)


class LookingOn(RealTimeProcess):
    """A process without which the arm moves as well: it gives way to all others."""

    nice: int = Field(default=5, ge=-20, le=19)


class RealTime(Section):
    """How punctual the processes are made; what is not permitted is reported, and the run goes on."""

    driver: PunctualProcess = PunctualProcess()
    emulator: PunctualProcess = PunctualProcess()
    sim: RealTimeProcess = RealTimeProcess()
    planner: RealTimeProcess = RealTimeProcess()
    bridge: RealTimeProcess = RealTimeProcess()
    recorder: LookingOn = LookingOn()
    dashboard: LookingOn = LookingOn(nice=10)
    foxglove: LookingOn = LookingOn(nice=10)
    bus_threads: Literal["fifo", "other"] = "fifo"  # of the real-time processes: one priority below the loop
    # driver and emulator each keep to one core, the last and the first, where `cpus` names none and
    # SCHED_FIFO is granted: their caches stay warm
    own_cores: bool = True
    cores_awake: bool = True  # no core sleeps while driver or emulator live: one that sleeps wakes late
    memory_lock: bool = True  # of driver and emulator: nothing is paged out
    timer_slack: Annotated[float, Quantity("us", gt=0.0, le=1000.0)] = 1e-6
    collector_off: bool = True  # of driver and emulator: no garbage collection in the loop
    spin: Annotated[float, Quantity("us", ge=0.0, le=2000.0)] = 0.0  # before a datagram is due; costs a core
