"""In flight under continuous force the driver says whether the model of its drives is in time."""

from pathlib import Path

import numpy as np
import pytest

from bench.fidelity import CONFIGS
from hil.configuration import load_configuration
from hil.force.setup import DriveModel
from hil.loop.driver.drive_timing import PERIOD_NS, TimedDrives
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import RobotState
from hil.messaging.timing_messages import DriveTiming
from tests.hil.force.timing.plant import STEP, followed
from tests.hil.force.timing.test_watch import flight


def flown(*settings: str) -> tuple[list[DriveTiming], RobotState]:
    """A flight against the port and back: what was told of the drives, and the last state of the driver."""
    c = load_configuration(Path(CONFIGS / "contact.toml"), list(settings))
    told: list[DriveTiming] = []
    states: list[RobotState] = []

    def hear(topic: str, msg: Message) -> None:
        if isinstance(msg, DriveTiming):
            told.append(msg)
        elif isinstance(msg, RobotState):
            states.append(msg)

    loop = LockStep(c, None, hear)
    loop.run(2.4)
    assert not loop.fault
    return told, states[-1]


def test_a_lead_that_is_wrong_by_two_milliseconds_is_told_and_warned_of() -> None:
    """A fixed lead of 10 ms at an arm that needs 12."""
    told, state = flown('interpolation.lead="fixed"', "interpolation.lead_time_ms=10")
    assert told[-1].wrong and abs(told[-1].late - 0.002) < 5e-4, told[-1]
    assert "2.0 ms later" in state.warning and "zerog calibrate timing" in state.warning


def test_one_that_is_identified_is_not() -> None:
    """The delay that the driver identifies keeps the model in time."""
    told, state = flown()
    assert not told[-1].wrong and abs(told[-1].late) < 5e-4, told[-1]
    assert not state.warning


class Packet:
    """What of a packet the watch looks at."""

    def __init__(self, t_ns: int, commanding: bool = True, new_session: bool = False) -> None:
        self.t_ns, self.commanding, self.new_session = t_ns, commanding, new_session


def timed(skip: slice = slice(0, 0), free: slice = slice(None), push: float = 0.0) -> TimedDrives:
    """A flight whose model is 2 ms early; in cycles that are not `free` a force shifts the arm by `push`."""
    u = flight(3)
    x = followed(u, 0.008, 0.01, 0.8)
    drives, touched = TimedDrives(STEP, DriveModel(0.006, 0.01, 0.8)), np.ones(len(u), bool)
    touched[free] = False
    for k in range(len(u)):
        if skip.start <= k < skip.stop:
            continue
        packet = Packet(10**9 + round(1e9 * STEP * k), new_session=k == 0)
        drives.take(packet, u[k], x[k] + push * touched[k], not touched[k])  # type: ignore[arg-type]
    return drives


def test_it_is_told_now_and_then() -> None:
    """Every 0.2 s, not every cycle."""
    drives = timed()
    assert len(drives.told(PERIOD_NS)) == 1 and drives.told(PERIOD_NS + 10**6) == []
    (told,) = drives.told(2 * PERIOD_NS)
    assert abs(told.late - 0.002) < 1e-4 and told.wrong and "2.0 ms later" in drives.warning


@pytest.mark.parametrize("skip", [slice(2000, 2003), slice(2000, 3000)])
def test_packets_that_are_missing_shift_nothing(skip: slice) -> None:
    """A few are bridged, after many it begins anew."""
    (told,) = timed(skip).told(PERIOD_NS)
    assert abs(told.late - 0.002) < 2e-4


def test_what_touches_the_arm_is_no_lateness() -> None:
    """An arm that a contact holds back by 0.2 mm for two seconds."""
    (told,) = timed(free=np.r_[0:3000, 4000:6000], push=-2e-4).told(PERIOD_NS)  # type: ignore[arg-type]
    assert abs(told.late - 0.002) < 2e-4
