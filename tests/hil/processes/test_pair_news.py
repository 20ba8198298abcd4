"""The daemon's end of the stop line: it hears the other run, and its own floats and holds by it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.common.errors import ConfigurationError, OutputError
from hil.configuration import Configuration, load_configuration
from hil.configuration.shared_pair import load_pair
from hil.loop.judging.judge import BEGIN_NS, Evidence, Judge
from hil.loop.judging.state_machine import Machine, State
from hil.loop.shared.stop_line import SILENT_NS
from hil.messaging.messages import Mode
from hil.processes.pair_run import PairRun, may_record, may_run_live
from hil.processes.supervisor.pair_news import PairNews, pair_lines
from tests.hil.loop.shared.test_shared_planner import TOUCH, arm_of
from tests.hil.robot_states import standing

T = 9_000_000_000
MORE = {
    "first": "",
    "second": ",'robot.mount_position_mm=[2040,0,0]','robot.mount_rotvec_deg=[0,0,180]',"
    "'stops.centre_mm=[1250,0,150]','stops.axis_yaw_deg=180'",
}
MS = 1_000_000


class Said:
    """A reader that is given what it reads."""

    def __init__(self) -> None:
        self.next: Mode | None = None

    def newest(self) -> Mode | None:
        found, self.next = self.next, None
        return found


class End:
    """A run of one arm, and what it hears of the other one."""

    def __init__(self, index: int, folder: Path, doubt: str = "") -> None:
        shared = arm_of(index).shared.model_copy(update={"other": str(folder)})
        self.c: Configuration = arm_of(index).model_copy(update={"shared": shared})
        self.judge, self.news, self.said = Judge(self.c), PairNews(self.c, doubt), Said()
        self.news._modes = self.said
        self.now_ns = T
        self.robot = standing(self.c.robot.start)
        self.judge.step(T, Evidence(robot=standing(self.c.robot.start)))

    def hears(self, state: str, begin_ns: int = 0) -> str:
        """Let the other run say so, and turn."""
        self.now_ns += 20 * MS
        self.said.next = Machine(State(state), 1, "why", begin_ns=begin_ns).mode(self.now_ns)
        return self.news.turn(self.now_ns, self.judge, self.robot)


@pytest.fixture(params=[0, 1])
def end(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[End]:
    """An end of the line, of either arm."""
    made = End(request.param, tmp_path / "other")
    yield made
    made.news.close()


def test_after_a_run_that_ended_in_doubt_neither_floats_by_itself(tmp_path: Path) -> None:
    """The leading run was killed, and begins again with floating at its start: an operator must order it."""
    again = End(0, tmp_path / "other", "the last run was killed")
    again.hears("READY")
    assert again.hears("READY") == "" and again.judge.machine.state is State.READY
    again.judge.order("float")
    assert again.judge.machine.state is State.FLOATING
    again.news.close()


def test_the_first_lets_both_float_once_and_the_second_follows(end: End) -> None:
    """As soon as both are ready, where the runs begin so; stopped, neither begins anew by itself."""
    first = end.c.shared.arm == "first"
    assert end.hears("STOPPED") == "" and end.judge.machine.state is State.READY
    assert "is STOPPED (why), and both float together" in end.news.refusal
    assert end.hears("READY") == ""
    assert end.judge.machine.state is (State.FLOATING if first else State.READY)
    begin_ns = end.judge.machine.begin_ns if first else end.now_ns + BEGIN_NS
    assert end.hears("FLOATING", begin_ns) == ""
    assert end.judge.machine.state is State.FLOATING and end.judge.machine.begin_ns == begin_ns
    assert pair_lines(end.news.status()) == [
        f"pair: the {end.c.shared.arm} arm; the {'second' if first else 'first'} one is FLOATING"
    ]
    end.judge.order("stop", "by the operator")
    end.judge.order("reset")
    end.judge.step(end.now_ns, Evidence(robot=standing(end.c.robot.start)))
    for _ in range(5):
        assert end.hears("READY") == "" and end.judge.machine.state is State.READY


def test_what_the_other_run_says_holds_within_a_turn(end: End) -> None:
    """And nothing but a stop leaves it; a hand is refused meanwhile."""
    end.hears("READY")
    end.hears("FLOATING", end.now_ns + BEGIN_NS)
    end.hears("FAULT")
    assert end.judge.machine.state is State.HOLDING
    assert "is FAULT (why)" in end.judge.machine.reason
    end.hears("CALIBRATING")
    assert "stop it first" in end.news.in_the_way


def test_a_run_that_says_nothing_more_holds(end: End) -> None:
    """Not in its first turns without word; then it does."""
    end.hears("READY")
    end.hears("FLOATING", end.now_ns + BEGIN_NS)
    for _ in range(SILENT_NS // (20 * MS)):
        end.now_ns += 20 * MS
        end.news.turn(end.now_ns, end.judge, end.robot)
        assert end.judge.machine.state is State.FLOATING
    end.news.turn(end.now_ns + 20 * MS, end.judge, end.robot)
    assert "run is silent" in end.judge.machine.reason


def test_an_arm_that_brakes_holds_itself_and_so_the_other_one(end: End) -> None:
    """Its plan is stale, say: but not before object time passes, nor where nothing floats."""
    end.hears("READY")
    begin_ns = end.judge.machine.begin_ns or end.now_ns + BEGIN_NS
    end.robot = replace(end.robot, t_ns=begin_ns - MS, braking_reason="no plan")
    end.hears("FLOATING", begin_ns)
    end.hears("FLOATING", begin_ns)
    assert end.judge.machine.state is State.FLOATING
    end.robot = replace(end.robot, t_ns=begin_ns + 50 * MS)
    end.hears("FLOATING", begin_ns)
    assert end.judge.machine.state is State.HOLDING
    assert end.judge.machine.reason == f"the {end.c.shared.arm} arm brakes: no plan"
    end.judge.order("stop", "by the operator")
    end.hears("STOPPED")
    assert end.judge.machine.reason == "by the operator"


def test_where_both_may_not_begin_it_is_told_once(tmp_path: Path) -> None:
    """The first arm off its middle: its refusal is told, and it does not ask again."""
    end = End(0, tmp_path / "other")
    q = end.c.robot.start.copy()
    q[6] += 0.1
    end.judge.step(T, Evidence(robot=standing(q)))
    assert "off the middle of its set" in end.hears("READY")
    assert end.hears("READY") == "" and end.judge.machine.state is State.READY
    end.news.close()


def test_an_arm_alone_hears_nobody(cube: Configuration) -> None:
    """No bus, no refusal, no line."""
    news = PairNews(cube)
    assert news.alone and news.turn(T, Judge(cube), None) == "" and pair_lines(news.status()) == []
    assert news.refusal == news.in_the_way == ""


def test_what_cannot_run_live_is_told_in_a_line(tmp_path: Path) -> None:
    """Too little committed for processes apart; recordings that are there already."""
    slow = [
        f"{name}.settings=['simulation.prediction_rate_hz=10'{MORE[name]}]" for name in ("first", "second")
    ]
    short = load_pair(TOUCH, [*slow, "observer.committed_ms=249"])
    with pytest.raises(
        ConfigurationError, match=r"touch.toml: observer.committed_ms = 249 .* 250 ms at least"
    ):
        may_run_live(TOUCH, short)
    may_run_live(TOUCH, load_pair(TOUCH, [*slow, "observer.committed_ms=250"]))
    strict = load_pair(TOUCH, ["first.settings=['emulator.patient=false']"])
    with pytest.raises(
        ConfigurationError, match=r"second.configuration: emulator.patient = true must be the"
    ):
        may_run_live(TOUCH, strict)
    (tmp_path / "second.mcap").touch()
    with pytest.raises(OutputError, match=r"second\.mcap is there"):
        may_record(tmp_path)
    with pytest.raises(OutputError, match="cannot be made"):
        may_record(tmp_path / "second.mcap" / "below")


@pytest.mark.parametrize(("file", "told"), [
    ("two_arms.toml", "shared and grasp are both given"),
    ("port.toml", "shared and port are both given"),
    ("platform.toml", "shared and base.kind = 'platform' are both given"),
    ("lwr_fri.toml", "shared and robot.kind = 'fri' are both given"),
])  # fmt: skip
def test_what_cannot_share_is_refused_with_file_key_and_remedy(file: str, told: str) -> None:
    """Whatever is put beside the table."""
    arm = arm_of(0).shared
    given = [f"shared.pair={arm.pair}", "shared.arm=first", "shared.other=x", "shared.other_port=3000"]
    with pytest.raises(ConfigurationError) as refused:
        load_configuration(TOUCH.parents[1] / file, given)
    (line,) = [text for text in str(refused.value).splitlines() if "shared" in text]
    assert f"{file}: {told}: share emulated arms on one host" in line


def test_each_run_is_given_the_others_addresses() -> None:
    """Folders and ports crosswise; the first one's emulation knows the second one's port."""
    pair = PairRun(TOUCH, ["observer.sharing=reach"])
    first, second = (run.configuration for run in pair.runs)
    for own, run, other in ((first, pair.runs[1], second), (second, pair.runs[0], first)):
        assert own.shared.other == str(run.directory)
        assert own.shared.other_port == other.fri.port
        assert own.shared.settings == ("observer.sharing=reach",)
    assert first.fri.port != second.fri.port
    for run in pair.runs:
        run.bus.close()


def test_one_arm_alone_is_not_simulated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What it would show is the body as if nobody shared it."""
    shared = ("pair='touch.toml'", "arm='first'", f"other='{tmp_path}'", "other_port=50000")
    settings = [word for text in shared for word in ("--set", f"shared.{text}")]
    assert main(["simulate", str(TOUCH.parent / "arm.toml"), *settings]) != 0
    assert "`zerog share PAIR.toml` flies both" in capsys.readouterr().err
