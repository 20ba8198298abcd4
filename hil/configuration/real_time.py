"""What a configuration may say about punctuality: how each process of a run is scheduled."""

from typing import Annotated, Literal

from pydantic import Field

from hil.configuration.quantities import Quantity, Section


class RealTimeProcess(Section):
    """How one process is scheduled. In: the process named."""

    scheduler: Literal["fifo", "other"] = "other"
    """`fifo`: SCHED_FIFO, only for driver and emulator; `other`: the ordinary one."""
    priority: int = Field(default=0, ge=0, le=98)
    """Of SCHED_FIFO; 0: as in the table of processes (docs/architecture.md)."""
    nice: int = Field(default=0, ge=-20, le=19)
    """Of an ordinary process, or where fifo is not permitted."""
    cpus: tuple[Annotated[int, Field(ge=0, le=4095)], ...] = ()
    """Cores that it may run on; empty: all."""


class PunctualProcess(RealTimeProcess):
    """Driver and emulated controller: punctual unless told otherwise. In: the process named."""

    scheduler: Literal["fifo", "other"] = "fifo"
    nice: int = Field(default=-20, ge=-20, le=19)


class LookingOn(RealTimeProcess):
    """A process without which the arm moves as well: it gives way to all others. In: the process named."""

    nice: int = Field(default=5, ge=-20, le=19)


class RealTime(Section):
    """How punctual the processes are made; what is not permitted is reported, and the run goes on.

    In: driver, emulator.
    """

    driver: PunctualProcess = PunctualProcess()
    emulator: PunctualProcess = PunctualProcess()
    sim: RealTimeProcess = RealTimeProcess()
    planner: RealTimeProcess = RealTimeProcess()
    vehicle: RealTimeProcess = RealTimeProcess()
    bridge: RealTimeProcess = RealTimeProcess()
    recorder: LookingOn = LookingOn()
    dashboard: LookingOn = LookingOn(nice=10)
    foxglove: LookingOn = LookingOn(nice=10)
    bus_threads: Literal["fifo", "other"] = "fifo"
    """Of the threads of the bus in real-time processes: one priority below the loop."""
    own_cores: bool = True
    """Driver and emulator each keep to one core, the last and the first, where `cpus` names none and
    SCHED_FIFO is granted: their caches stay warm."""
    cores_awake: bool = True
    """No core sleeps while driver or emulator live: one that sleeps wakes late."""
    memory_lock: bool = True
    """Nothing of theirs is paged out."""
    timer_slack: Annotated[float, Quantity("us", gt=0.0, le=1000.0)] = 1e-6
    """By which the kernel may wake them later than asked."""
    collector_off: bool = True
    """No garbage collection in their loops."""
    spin: Annotated[float, Quantity("us", ge=0.0, le=2000.0)] = 0.0
    """How long they look for a datagram without sleep before it is due; costs a core."""
