"""The channels of a recording as flat tables on one time."""

import numpy as np
import pytest

from hil.messaging.messages import RobotState, SupervisorTurn
from hil.recording.reading import Summary
from hil.recording.rows import Cycle, Truth
from hil.recording.tables import flat_tables, origin_of

START_NS = 5_000_000_000


def summary(offset_ns: int) -> Summary:
    found = Summary(begin_ns=START_NS + offset_ns)
    found.metadata["zerog"] = {"clock_offset_ns": str(offset_ns)}
    return found


def columns_of(kind: type, n: int, **values: object) -> dict:
    """Columns of a message class, zero where nothing is told."""
    import dataclasses

    made = {}
    for field in dataclasses.fields(kind):
        shape, what = field.metadata["shape"], field.metadata["kind"]
        if -1 in shape:
            made[field.name], made[f"{field.name}_rows"] = np.zeros((0, *shape[1:])), np.zeros(n, int)
        else:
            made[field.name] = np.full((n, *shape), "" if what == "str" else 0)
    return made | {name: np.asarray(value) for name, value in values.items()}


def test_instants_count_from_one_origin_and_durations_stay() -> None:
    """Live: from the first message on; what is no instant, or no duration, is empty."""
    t = START_NS + np.array([0, 2_000_000])
    channels = {
        "/cycle": columns_of(Cycle, 2, t_ns=t, arrival_ns=[100_000, 200_000]),
        "/truth": columns_of(Truth, 2, t_ns=t, answer_ns=[400_000, -1]),
        "/supervisor_turn": columns_of(SupervisorTurn, 2, t_ns=t, plan_ns=[0, t[0]]),
        "/robot_state": columns_of(RobotState, 2, t_ns=t, arrival_ns=t + 50_000, delay=[0.01, 0.02]),
    }
    tables = flat_tables(summary(10**18), channels)
    assert tables["cycle"].columns["t_s"].tolist() == [0.0, 0.002]
    assert tables["cycle"].columns["arrival_s"].tolist() == [0.0001, 0.0002]
    np.testing.assert_equal(tables["truth"].columns["answer_s"], [0.0004, np.nan])
    np.testing.assert_equal(tables["supervisor_turn"].columns["plan_s"], [np.nan, 0.0])
    assert tables["robot_state"].columns["arrival_s"].tolist() == [0.00005, 0.00205]
    assert tables["robot_state"].units["delay_s"] == "s"


@pytest.mark.parametrize(("head", "origin"), [("0", 0), (None, START_NS + 7)])
def test_virtual_time_counts_from_zero_and_a_lost_head_from_the_first_message(
    head: str | None, origin: int
) -> None:
    """In lock-step times are the run's own; where the head is damaged, its offset is not known."""
    found = summary(0)
    if head is None:
        found.metadata.clear()
    channels = {"/cycle": columns_of(Cycle, 1, t_ns=[START_NS + 7])}
    assert origin_of(found, channels) == origin
