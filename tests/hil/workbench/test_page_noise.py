"""What a page asks of a running simulation: inputs in turn, and noise, which ends nothing."""

import math
from pathlib import Path

import pytest

from hil.common.errors import DrivingError
from hil.workbench.driving.pace import Pace
from hil.workbench.page.running import PAGE, Running, _answer
from hil.workbench.page.terms import Terms
from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import load_database

ARM = Path(__file__).parents[3] / "configs" / "assemblies" / "lwr4.toml"
AHEAD = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.fixture(scope="module")
def chain() -> Chain:
    return load_assembly(ARM, load_database())


@pytest.fixture(scope="module")
def running(chain: Chain) -> Running:
    return Running(chain, Terms())


def speed(running: Running, commands: int = 50) -> float:
    """The tip's commanded speed after so many commands."""
    for _ in range(commands):
        running.step()
    return running.session.variables()["command.speed_m_s"]


def test_a_hand_is_forgotten_when_another_input_comes(running: Running) -> None:
    """Held, the jog moves; behind a path it does not, nor does it when the page has the tip again."""
    running.jog(AHEAD)
    assert speed(running, 20) > 0.05
    running.jog(AHEAD)
    running.listen("step")
    running.jog(AHEAD)
    assert speed(running, 300) == 0.0, "the path rests at its beginning"
    running.listen(PAGE)
    assert speed(running) == 0.0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("jog", ("left",)),
        ("jog", ([10**400] * 6,)),
        ("jog", (None,)),
        ("listen", (3,)),
        ("listen", ("nothing",)),
        ("set_parameter", ("gravity.z_m_s2", "much")),
        ("set_parameter", ("gravity.z_m_s2", 10**400)),
        ("set_parameter", (["a"], 1.0)),
        ("choose", (3,)),
        ("choose", ([["a"]],)),
        ("fly", ()),
    ],
)
def test_noise_is_answered_and_ends_nothing(
    running: Running, name: str, arguments: tuple[object, ...]
) -> None:
    """One line; the simulation goes on."""
    done, said = _answer(running, Pace(0.004, False, lambda: 0, lambda _: None), name, arguments)
    assert not done and said and "\n" not in said
    before = running.session.t
    running.step()
    assert running.session.t > before


@pytest.mark.parametrize("q", [(0.1,) * 6, (math.nan,) * 7])
def test_sliders_of_another_arm_begin_nothing(chain: Chain, q: tuple[float, ...]) -> None:
    """Told with the number of joints."""
    with pytest.raises(DrivingError, match="begins at 7 joint positions"):
        Running(chain, Terms(q=q))
