"""How depth becomes pace, and that a hold does not flicker."""

import itertools

import pytest

from planner.branches.policy import DEPTH_TO_LEAVE_HOLD, HOLD, RUN, SLOW, Policy


@pytest.mark.parametrize(
    ("depth", "expected"), [(0.05, (HOLD, 0.0)), (0.25, (SLOW, 0.5)), (0.40, (RUN, 1.0)), (1.0, (RUN, 1.0))]
)
def test_rate_by_depth(depth: float, expected: tuple[str, float]) -> None:
    """clip((depth - 0.10) / 0.30, 0, 1), as measured to stop within two millimetres."""
    policy, rate = Policy().step(depth, False)
    assert (policy, pytest.approx(rate)) == expected


def test_free_horizon_runs() -> None:
    """With nothing in sight the depth does not matter."""
    assert Policy().step(0.0, True) == (RUN, 1.0)


def test_approach_to_an_exit_ends_in_one_hold() -> None:
    """Integrated along a path that ends, object time stops before the exit and holds once, for good."""
    policy, s, seen = Policy(), 0.0, []
    for _ in range(4000):
        name, rate = policy.step(round((1.0 - s) / 0.02) * 0.02, False)
        seen.append(name)
        s += 0.005 * rate
    assert 0.85 < s < 0.95
    changes = [b for a, b in itertools.pairwise(seen) if a != b]
    assert changes == [SLOW, HOLD]


def test_a_better_path_ends_the_hold() -> None:
    """A push that opens the way lets time run again; a flicker of depth does not."""
    policy = Policy()
    assert policy.step(0.10, False)[0] == HOLD
    assert policy.step(DEPTH_TO_LEAVE_HOLD - 0.02, False)[0] == HOLD
    assert policy.step(DEPTH_TO_LEAVE_HOLD, False)[0] == SLOW
