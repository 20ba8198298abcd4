"""Which clock a run goes by."""

from pathlib import Path

import pytest

from hil.common.errors import OperatorError
from hil.common.run_clock import FILE, Mark, SharedClock
from hil.configuration import Configuration, load_configuration
from hil.processes.shared_clock import clock_of, is_patient
from hil.processes.supervisor.reloading import same_run


def changed(c: Configuration, kind: str = "emulated", patient: bool = True) -> Configuration:
    """The configuration with another robot or patience."""
    robot = c.robot.model_copy(update={"kind": kind})
    emulator = c.emulator.model_copy(update={"patient": patient})
    return c.model_copy(update={"robot": robot, "emulator": emulator})


def test_only_an_emulated_run_on_one_host_is_patient(cube: Configuration, tmp_path: Path) -> None:
    """By default; a real robot, a strict emulation and a run on two hosts have the monotonic clock."""
    assert is_patient(cube)
    strict = [(changed(cube, kind="fri"), ""), (changed(cube, patient=False), ""), (cube, "robot")]
    for c, site in strict:
        assert not isinstance(clock_of(c, tmp_path, site, new=True), SharedClock)
    assert not (tmp_path / FILE).exists()
    daemon = clock_of(cube, tmp_path, new=True)
    driver = clock_of(cube, tmp_path)
    assert isinstance(daemon, SharedClock) and isinstance(driver, SharedClock)
    begin = daemon.now_ns()
    daemon.release(0, begin)
    assert driver.now_ns() - begin < 1000, "one and the same"


def test_a_new_run_begins_with_a_free_clock(cube: Configuration, tmp_path: Path) -> None:
    """What a run that was killed has left behind makes nobody wait."""
    left = clock_of(cube, tmp_path, new=True)
    assert isinstance(left, SharedClock)
    left.release(7, left.now_ns())
    left.mark(Mark.TURNED, 7)
    fresh = clock_of(cube, tmp_path, new=True)
    assert isinstance(fresh, SharedClock)
    assert fresh.released() == (0, 0) and not any(fresh.marks()) and fresh.waited_ns == 0


def test_a_reload_cannot_change_the_clock(cube: Configuration) -> None:
    """The daemon's own stays what it is: another one needs a restart."""
    same_run(cube, changed(cube))
    with pytest.raises(OperatorError, match=r"emulator\.patient"):
        same_run(cube, changed(cube, patient=False))


def test_the_second_of_two_arms_goes_by_the_firsts_clock(
    pair_runs: tuple[Configuration, Configuration], tmp_path: Path
) -> None:
    """Its processes, and whoever comes to its folder; its marks are its own, a new one changes nothing."""
    (tmp_path / "second").mkdir()
    first = clock_of(pair_runs[0], tmp_path / "first", new=True)
    daemon = clock_of(pair_runs[1], tmp_path / "second", new=True)
    driver = clock_of(pair_runs[1], tmp_path / "second")
    assert isinstance(first, SharedClock) and isinstance(daemon, SharedClock)
    begin = first.now_ns()
    first.release(0, begin)
    beside = SharedClock(tmp_path / "second")
    assert max(abs(clock.now_ns() - begin) for clock in (daemon, driver, beside)) < 1000
    driver.mark(Mark.ORDERED, 5)
    assert first.marks()[Mark.ORDERED] == 0 and first.marks(1)[Mark.ORDERED] == 5
    assert clock_of(pair_runs[1], tmp_path / "second", new=True).now_ns() - begin < 1000


@pytest.fixture
def pair_runs(tmp_path: Path) -> tuple[Configuration, Configuration]:
    """Configurations of both arms' runs."""
    (tmp_path / "first").mkdir()
    file = Path(__file__).parents[3] / "configs/shared/touch.toml"
    return tuple(
        load_configuration(
            file.parent / "arm.toml",
            ["shared.pair=touch.toml", f"shared.arm={own}", "shared.other_port=3000",
             f"shared.other={tmp_path / other}"],
        )
        for own, other in (("first", "second"), ("second", "first"))
    )  # fmt: skip
