"""The whole loop beside robots that do as they are told, in their own ways, and robots that do not.

Arms that yield, bend or lag far behind raise no fault; one that is stuck or turned round does, within the
time that its commands state; lost answers break no limit, whether the controller goes on or stands.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.disturbances import CALM
from drivers.fri.codec import CommandDatagram
from hil.configuration import Configuration, load_configuration
from hil.loop.driver.following_error import SHARE, SPREAD, allowed_error
from hil.loop.driver.interface_delay import LONGEST_DELAY
from hil.loop.lockstep import LockStep

CONFIGS = Path(__file__).parents[3] / "configs"
DELAYED = ("emulator.delay_ms=250", 'interpolation.lead="identified"', "interpolation.lead_time_ms=250")
PUSHES = ("operator.random.first_s=0.5", "operator.random.gap_s=0.8", "operator.random.gap_spread_s=0.2")
ARMS = {
    "impedance": ("cube", (*PUSHES, 'emulator.control="impedance"')),
    "elastic joints": ("cube", (*PUSHES, "emulator.elastic=true")),
    "impedance, elastic joints": ("cube", (*PUSHES, 'emulator.control="impedance"', "emulator.elastic=true")),
    "250 ms": ("paper", ()),
    "250 ms, looked ahead": ("paper", (*DELAYED, "interpolation.short_cut=true")),
    "250 ms, looked ahead, impedance": ("cube", (*PUSHES, *DELAYED, 'emulator.control="impedance"')),
    "echo after three cycles": ("cube", (*PUSHES, "fri.echo_cycles=3")),
    "cycles of 1 ms": ("cube", (*PUSHES, "fri.sample_time_ms=1")),
    "cycles of 10 ms": ("cube", (*PUSHES, "fri.sample_time_ms=10")),
}
WRONG_AT = 3.0  # [s]


def configured(file: str, settings: tuple[str, ...], seed: int = 1) -> Configuration:
    """A shipped configuration with other values."""
    return load_configuration(CONFIGS / f"{file}.toml", [*settings, f"run.seed={seed}"])


class Watched:
    """A loop that keeps commands, echo and the first fault with its time."""

    def __init__(self, c: Configuration) -> None:
        self.loop = LockStep(c)
        self.driver, self.controller = self.loop._driver, self.loop._controller
        self.fault, self.at = "", np.inf
        self.commands: list[np.ndarray] = []  # one a cycle
        self._advance = self.controller.advance
        self.controller.advance = self.advance  # type: ignore[method-assign]
        self.begin = lambda t: None

    def advance(self) -> None:
        """Go on with the controller; look at the driver."""
        if self.driver.fault and not self.fault:
            self.fault, self.at = self.driver.fault, self.controller.t
        self.commands.append(self.driver.q_command.copy())
        self.begin(self.controller.t)
        self._advance()


@pytest.mark.parametrize("name", ARMS)
def test_arms_that_do_as_they_are_told_raise_no_fault(name: str) -> None:
    """Pushes and motion for six seconds; the arm has followed, so there was something to judge."""
    watched = Watched(configured(*ARMS[name], seed=3))
    watched.loop.run(6.0)
    assert watched.fault == ""
    assert watched.loop._judge.machine.state.value == "FLOATING"
    assert np.ptp(watched.commands, axis=0).max() > 0.05
    assert watched.controller.monitor.violations == 0


@pytest.mark.parametrize("kind", ["stuck", "reversed"])
@pytest.mark.parametrize("name", ["stiff", "impedance", "250 ms, looked ahead"])
def test_an_arm_that_does_not_follow_is_found_within_the_stated_time(name: str, kind: str) -> None:
    """By when the commands of the longest delay have all left it by more than the bound.

    The bound comes from the commands of the run: the first instant at which each of them, for as long
    as a delay can be, is farther from where the arm stands than the configured error.
    """
    file, settings = ARMS.get(name, ("cube", PUSHES))
    watched = Watched(configured(file, settings, seed=3))
    cycle = watched.loop._c.fri.sample_time
    stood: list[np.ndarray] = []

    def begin(t: float) -> None:
        if t >= WRONG_AT and not stood:
            watched.controller.disturbances.begin(replace(CALM, duration=1e3, arm=kind), t)
            stood.append(watched.controller.arm.q.copy())

    watched.begin = begin
    watched.loop.run(20.0)
    assert "limits.following_error_deg" in watched.fault
    allowed = allowed_error(watched.loop._c.limits)
    commands, oldest = np.array(watched.commands), round(LONGEST_DELAY / cycle) + 3
    since = round(WRONG_AT / cycle)
    found = round(watched.at / cycle)
    # a joint whose commands all lie beyond the bound is found; so there was no such instant before
    slack = 0.02 if name == "impedance" else 2e-3  # [rad]; it settles where it is held
    for k in range(since + oldest, found - 2):
        near = commands[k - oldest : k + 1] - stood[0]
        beyond = np.maximum(near.min(axis=0), -near.max(axis=0)) - allowed
        assert beyond.max() < slack, (k, found)
    near = commands[since:found] - stood[0]
    assert (np.abs(near).max(axis=0) > 0.5 * allowed - slack).any()
    assert watched.controller.monitor.violations == 0


def test_the_known_delay_finds_a_stuck_arm_sooner() -> None:
    """Once it is identified the commands that count are those around it: fewer, and none older."""
    watched = Watched(configured("cube", PUSHES, seed=3))
    watched.loop.run(8.0)
    delay = watched.driver._delay
    assert delay.settled and delay.estimate == pytest.approx(0.012, abs=0.002)
    first, last = watched.driver._watch._following._window(1, delay)
    assert first == 0
    assert (last + 1) * 0.002 <= delay.estimate + SPREAD + SHARE * delay.estimate + 0.004 < LONGEST_DELAY


class LossyLink:
    """A link that loses answers, in rows of up to `longest`."""

    def __init__(self, watched: Watched, longest: int, seed: int) -> None:
        self._rng, self._longest, self._left = np.random.default_rng(seed), longest, 0
        self._receive, self._following = watched.controller.receive, watched.driver
        watched.controller.receive = self.receive  # type: ignore[method-assign]
        self.lost = 0

    def receive(self, data: bytes, latency: float = 0.0) -> CommandDatagram | None:
        """Take an answer, or lose it."""
        if self._left == 0 and self._following.following and self._rng.random() < 0.03:
            self._left = int(self._rng.integers(1, self._longest + 1))
        if self._left == 0:
            return self._receive(data, latency)
        self._left -= 1
        self.lost += 1
        return None


@pytest.mark.parametrize("way", ["extrapolate", "hold"])
@pytest.mark.parametrize("longest", [1, 4])
def test_lost_answers_are_bridged_either_way(way: str, longest: int) -> None:
    """The controller goes on or stands: no fault, no limit broken, nor by its own path."""
    watched = Watched(configured("cube", (*PUSHES, f'emulator.lost_answers="{way}"'), seed=2))
    link, path = LossyLink(watched, longest, seed=5), []
    watched.begin = lambda t: path.append(watched.controller._path.reference.copy())
    watched.loop.run(5.0)
    assert watched.fault == "" and link.lost > 50
    assert watched.controller.monitor.violations == 0, watched.controller.monitor.first
    step = watched.loop._c.limits.velocity * watched.loop._c.fri.sample_time
    assert (np.abs(np.diff(path, axis=0)) <= step + 1e-6).all()


@pytest.mark.parametrize("way", ["extrapolate", "hold"])
def test_a_long_gap_breaks_no_limit_either_way(way: str) -> None:
    """Twenty answers lost at a time: bridged, or no answer goes out that asks for more than the limit."""
    watched = Watched(configured("cube", (*PUSHES, f'emulator.lost_answers="{way}"'), seed=2))
    link, path = LossyLink(watched, 20, seed=6), []
    watched.begin = lambda t: path.append(watched.controller._path.reference.copy())
    watched.loop.run(6.0)
    assert link.lost > 20
    assert watched.controller.monitor.violations == 0, watched.controller.monitor.first
    step = watched.loop._c.limits.velocity * watched.loop._c.fri.sample_time
    assert (np.abs(np.diff(path, axis=0)) <= step + 1e-6).all()
    assert "was commanded a step" not in watched.controller.fall_back_reason
    if way == "hold":  # a fault that names it, and the controller has ended the session by itself, at rest
        assert "answers lost or late" in watched.fault
        assert "answers missed in a row" in watched.controller.fall_back_reason
    else:
        assert watched.fault == ""
