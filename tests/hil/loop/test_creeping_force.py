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


def test_what_grows_by_more_than_ten_gates_a_minute_is_found() -> None:
    """At 1 N/s after 20 s and a look at most; at 0.3 N/s, 18 N a minute, not."""
    when, found = pressed(1.0, 30.0)
    assert "within a minute" in found and 20.0 < when < 22.0
    assert pressed(0.3, 120.0)[1] == ""


def test_what_grows_slower_ends_at_the_force_stop() -> None:
    """0.3 N/s for 500 s are 150 N."""
    when, found = pressed(0.3, 600.0)
    assert "force.stop_force_n = 150" in found and 499.9 < when < 502.0


def test_a_touch_and_another_floating_begin_anew() -> None:
    """The bias is found anew behind a contact: that jump is none."""
    watch = CreepingForce(GATE, STOP, STEP)
    assert pressed(0.0, 3.0, watch)[1] == ""
    watch.touched()
    for _ in range(1000):
        assert watch.judge(np.full(6, 20.0)) == ""
    watch.begin()
    for _ in range(1000):
        assert watch.judge(np.full(6, 200.0)) == ""
