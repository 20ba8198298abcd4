"""What a soak counts: cycles, faults by kind, states, stops with time and travel, and what must be zero."""

from dataclasses import asdict, dataclass, field
from typing import Any

COUNTS = (
    *("cycles", "commands", "scenarios", "homed", "violations", "unsettled", "died", "refused"),
    *("contacts", "contacts_in_fault", "gained", "grasps", "overforces"),
)


@dataclass
class Stops:
    """Stops while a kind of fault was at work."""

    count: int = 0
    longest: float = 0.0  # from the last cycle that followed until the arm stands [s]
    widest: float = 0.0  # farthest that a joint moved meanwhile [rad]
    farthest: float = 0.0  # the same of the object's centre [m]

    def add(self, duration: float, angle: float, way: float) -> None:
        """Take a stop."""
        self.count += 1
        self.longest, self.widest = max(self.longest, duration), max(self.widest, angle)
        self.farthest = max(self.farthest, way)

    def join(self, other: "Stops") -> None:
        """Add another's."""
        self.count += other.count
        self.longest, self.widest = max(self.longest, other.longest), max(self.widest, other.widest)
        self.farthest = max(self.farthest, other.farthest)


@dataclass
class Ledger:
    """Counts of one chunk or of many; ledgers add up."""

    cycles: int = 0
    commands: int = 0
    scenarios: int = 0
    homed: int = 0  # the arm stood where nothing could be followed and was taken back to its start
    violations: int = 0
    unsettled: int = 0  # scenarios after which the arm neither stood nor followed
    died: int = 0  # exceptions out of simulation, planner or the loop itself
    refused: int = 0  # answers to packets that the controller does not know of, since it was restarted
    contacts: int = 0  # with a port that ended
    contacts_in_fault: int = 0  # of these, met by a fault
    gained: int = 0  # contacts without a fault that gave the object energy
    gain: float = 0.0  # largest share of energy that one of them gave
    peak_force: float = 0.0  # in any contact [N]
    grasps: int = 0  # by a second arm
    overforces: int = 0  # times that the mock-up felt more of it than it may
    peak_grasp: float = 0.0  # greatest true force of it [N]
    faults: dict[str, int] = field(default_factory=dict)
    states: dict[str, int] = field(default_factory=dict)  # how often each was entered
    bridged: dict[str, int] = field(default_factory=dict)  # cycles without an answer, by what was done then
    stops: dict[str, Stops] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)  # largest share of each limit
    findings: list[str] = field(default_factory=list)  # what must not be, with seed and cycle

    def join(self, other: "Ledger") -> None:
        """Add another's counts."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.gain, self.peak_force = max(self.gain, other.gain), max(self.peak_force, other.peak_force)
        self.peak_grasp = max(self.peak_grasp, other.peak_grasp)
        for kind, count in other.faults.items():
            self.faults[kind] = self.faults.get(kind, 0) + count
        for state, count in other.states.items():
            self.states[state] = self.states.get(state, 0) + count
        for way, count in other.bridged.items():
            self.bridged[way] = self.bridged.get(way, 0) + count
        for kind, stops in other.stops.items():
            self.stops.setdefault(kind, Stops()).join(stops)
        for name, share in other.worst.items():
            self.worst[name] = max(self.worst.get(name, 0.0), share)
        self.findings += other.findings

    def to_dict(self) -> dict[str, Any]:
        """Return all counts as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Ledger":
        """Return the ledger of which `to_dict` made `data`."""
        stops = {kind: Stops(**values) for kind, values in data["stops"].items()}
        return cls(**{**data, "stops": stops})
