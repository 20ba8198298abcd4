"""What creeps into the bias of a wrench: by how much, and what it is not."""

import numpy as np

from hil.loop.driver.creeping_force import CreepingForce

GATE, STOP, STEP = 2.0, 150.0, 0.002


def pressed(rate: float, seconds: float, watch: CreepingForce | None = None) -> tuple[float, str]:
    """Let the bias follow a force that grows at `rate` [N/s]; return when something was found, and what."""
    watch = watch or CreepingForce(GATE, STOP, STEP)
    for n in range(round(seconds / STEP)):
        if found := watch.judge(np.array([0.0, rate * n * STEP, 0.0, 0.0, 0.0, 0.0])):
            return n * STEP, found
    return seconds, ""


def test_what_grows_by_more_than_two_gates_a_second_is_found() -> None:
    """At 10 N/s after 0.4 s and a look at most; at 3 N/s, or what 150 mm/s make of a pose, not at all."""
    when, found = pressed(10.0, 2.0)
    assert "within a second" in found and 0.4 < when < 0.62
    assert pressed(3.0, 20.0)[1] == "" == pressed(1.5, 60.0)[1]


def test_what_grows_slower_ends_at_the_force_stop() -> None:
    """3 N/s for 50 s are 150 N."""
    when, found = pressed(3.0, 60.0)
    assert "force.stop_force_n = 150" in found and 49.9 < when < 50.5


def test_a_touch_and_another_floating_begin_anew() -> None:
    """The bias is found anew behind a contact: that jump is none."""
    watch = CreepingForce(GATE, STOP, STEP)
    assert pressed(0.0, 1.0, watch)[1] == ""
    watch.touched()
    for _ in range(1000):
        assert watch.judge(np.full(6, 20.0)) == ""
    watch.begin()
    for _ in range(1000):
        assert watch.judge(np.full(6, 200.0)) == ""
