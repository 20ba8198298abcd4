"""What a cycle of the driver's core gives to its caller, and what the caller counts."""

from dataclasses import dataclass, field

from hil.common.arrays import Array
from hil.messaging.messages import Contact, Witness
from hil.messaging.timing_messages import DriveTiming
from hil.wrench.detector.push_report import PushReport


@dataclass
class Cycle:
    """What a cycle decided. `q_command` is None outside command mode: the session then mirrors."""

    q_command: Array | None
    reports: list[PushReport] = field(default_factory=list)
    plan: int | None = None  # number of the plan on which a command rests now for the first time
    withheld: bool = False  # no answer must be sent: the controller stood, and would make up for it too fast


@dataclass
class Conclusion:
    """What a cycle brought beside its answer."""

    witnesses: list[Witness] = field(default_factory=list)
    contacts: list[Contact] = field(default_factory=list)
    ring: list[float] = field(default_factory=list)  # how long slices took until a plan had them [s]
    drives: list[DriveTiming] = field(default_factory=list)


@dataclass(frozen=True)
class Counters:
    """What the driver's shell counts; in lock-step all zero."""

    cycles: int = 0
    missed: int = 0
    cycle_p50: float = 0.0
    sample_to_command_p50: float = 0.0
    ring_p50: float = 0.0
    unsent: int = 0
    unsent_reason: str = ""
