"""The stand-alone simulator: run without anything of ours around it, it goes the way of our simulation."""

import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from sim.assembly.chain import Chain
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.drives.arm_simulation import ArmSimulation
from sim.exports.exporting import export
from sim.exports.tip_follower import follow_tip, pose_vector
from tests.sim.exports.arms import ARMS, arm_named

pytestmark = pytest.mark.skipif(
    not any(Path(p, "cc").exists() for p in ("/usr/bin", "/usr/local/bin")), reason="no C compiler here"
)
CLOSE = 1e-9  # rad, m; N m and A of the greatest: rounding of two compilers, over a thousand steps


class Program:
    """The program of an export, moved elsewhere and started with an empty environment."""

    def __init__(self, chain: Chain, folder: Path, *options: str) -> None:
        made = manipulator_of(chain)
        files = export(made, chain, folder / "made", ["standalone"])
        program = next(path for path in files if path.name == "simulator")
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        program.rename(elsewhere / "sim")
        self._process = subprocess.Popen(
            ["./sim", *options],
            cwd=elsewhere,
            env={},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.names = self.ask("names").split()

    def tell(self, line: str) -> None:
        """Send a line that is not answered."""
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def ask(self, line: str) -> str:
        """Send a line and return the answer."""
        self.tell(line)
        return self._process.stdout.readline().rstrip("\n")

    def state(self, line: str) -> dict[str, float]:
        """Send a line and return the state that answers."""
        return dict(zip(self.names, (float(word) for word in self.ask(line).split()), strict=True))

    def close(self) -> int:
        """End it."""
        self._process.stdin.close()
        return self._process.wait(10)


def texts(values: np.ndarray) -> str:
    """Numbers of a command."""
    return " ".join(repr(float(value)) for value in values)


def same(state: dict[str, float], simulation: ArmSimulation, made: Manipulator) -> None:
    """A state is that of our simulation."""
    columns = {"q": simulation.q, "dq": simulation.dq, "torque": simulation.torque,
               "current": simulation.current, "winding": simulation.winding_k,
               "housing": simulation.housing_k}  # fmt: skip
    assert state["t"] == pytest.approx(simulation.t, abs=1e-12)
    for name, expected in columns.items():
        found = np.array([state[f"{axis.name}.{name}"] for axis in made.axes])
        size = max(1.0, float(np.abs(expected).max()))
        np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE * size, err_msg=name)
    base = np.array([state[f"base.{name}"] for name in ("fx", "fy", "fz", "tx", "ty", "tz")])
    size = max(1.0, float(np.abs(simulation.base_wrench).max()))
    np.testing.assert_allclose(base, simulation.base_wrench, rtol=0, atol=1e-6 * size)
    tip = [state[f"tip.{way}"] for way in "xyz"]
    np.testing.assert_allclose(tip, simulation.T_base_tip[:3, 3], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ARMS)
def test_it_goes_the_way_of_our_simulation(name: str, tmp_path: Path) -> None:
    """Half a second of moving references, a push at the tip, brakes: all states agree."""
    chain = arm_named(name)
    made = manipulator_of(chain)
    program, simulation = Program(chain, tmp_path), ArmSimulation(made, chain.database)
    start, n = simulation.q, len(made.axes)
    rates = 0.2 * made.speeds * np.cos(np.arange(n))
    wrench = np.zeros(6)
    same(program.state("state"), simulation, made)
    for step in range(500):
        t = 0.001 * step
        q, dq = start + rates * (1.0 - np.cos(6.0 * t)) / 6.0, rates * np.sin(6.0 * t)
        if step == 200:
            wrench = np.array([5.0, -3.0, 4.0, 0.2, 0.1, -0.3])
            program.tell(f"wrench {texts(wrench)}")
        if step == 400:
            program.tell("brake 1")
            simulation.close_brakes(np.ones(n, bool))
        program.tell(f"joints {texts(q)} {texts(dq)}")
        state = program.state("step")
        simulation.step(q, dq, wrench)
        if step % 50 == 49:
            same(state, simulation, made)
    assert np.abs(simulation.q - start).max() > 0.01
    program.tell("reset")
    assert program.state("state")["t"] == 0.0
    assert program.close() == 0


def test_its_joints_end_where_ours_do(tmp_path: Path) -> None:
    """References beyond the ranges lead turning and sliding joints onto their stops."""
    chain = arm_named("drawn-4")
    made = manipulator_of(chain)
    program, simulation = Program(chain, tmp_path), ArmSimulation(made, chain.database)
    start, ends = simulation.q, np.where([True, False, True, False], made.upper, made.lower)
    seconds, met, still = np.abs((ends - start) / made.speeds).max(), np.zeros(4, bool), np.zeros((50, 4))
    for part in np.linspace(0.0, 1.2, round(2.4 * seconds / 0.05)):
        q = start + part * (ends - start)
        program.tell(f"joints {texts(q)}")
        state = program.state("step 50")
        simulation.run(np.tile(q, (50, 1)), still)
        met |= (simulation.q > made.upper) | (simulation.q < made.lower)
    same(state, simulation, made)
    assert met.sum() >= 2
    program.close()


def test_the_tip_goes_where_it_is_told(tmp_path: Path) -> None:
    """Its command moves the references as `follow_tip` does."""
    chain = arm_named("drawn-7")
    made = manipulator_of(chain)
    program, simulation = Program(chain, tmp_path), ArmSimulation(made, chain.database)
    command = simulation.T_base_tip
    command[:3, 3] += (0.05, -0.04, 0.03)
    program.tell(f"tip {texts(pose_vector(command))}")
    q, start = simulation.q, simulation.q
    for _ in range(300):
        after, dq = follow_tip(made.chain, q, command, made.lower, made.upper, made.speeds, 0.001)
        simulation.step(0.5 * (q + after), dq)
        q = after
    same(program.state("step 300"), simulation, made)
    assert np.abs(simulation.q - start).max() > 0.01
    program.close()


def test_bad_lines_are_refused_and_change_nothing(tmp_path: Path) -> None:
    """Unknown words, too many or too few numbers, words for numbers, what is not finite."""
    program = Program(arm_named("drawn-4"), tmp_path)
    before = program.ask("state")
    for line in ("jump", "joints 1", "joints a b c d", "tip 1 2 3 4 5 nan", "step 0", "step -1", "wrench 1 2",
                 "joints " + "1 " * 40, "step 1e99"):  # fmt: skip
        assert program.ask(line).startswith("error: "), line
    assert program.ask("state") == before
    assert program.close() == 0


def test_real_time_takes_as_long_as_it_is(tmp_path: Path) -> None:
    """A hundred steps of a millisecond: not less than 0.1 s; how much more is the machine's affair."""
    program = Program(arm_named("drawn-1"), tmp_path, "--real-time")
    began = time.monotonic()
    program.state("step 100")
    assert time.monotonic() - began >= 0.0999
    program.close()
