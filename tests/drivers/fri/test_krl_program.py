"""The program for the controller that is shipped: well formed, and one with client and configuration."""

import re
from pathlib import Path

import numpy as np
import pytest

from drivers.fri.condition import KRL_STRATEGY
from drivers.fri.layout import KRL_PRESENT, KRL_START, KRL_STOP, ControlStrategy, Quality
from drivers.fri.session import answer_bytes
from hil.configuration import load_configuration

ROOT = Path(__file__).resolve().parents[3]
SOURCE, DATA = (ROOT / f"configs/krl/zerog.{end}" for end in ("src", "dat"))
CONFIGURATION = ROOT / "configs/lwr_fri.toml"
BLOCKS = {"DEF": "END", "DEFDAT": "ENDDAT", "IF": "ENDIF", "LOOP": "ENDLOOP", "WHILE": "ENDWHILE"}
# the interface's functions and variables, and words of the language
KNOWN = {
    *("FRICLOSE", "FRIOPEN", "FRISTART", "FRISTOP", "BAS", "PTP", "IR_STOPM", "FRISTATE"),
    *("ZEROG", "STATE", "AND", "OR", "NOT", "DECL", "GLOBAL", "INTERRUPT", "WHEN", "DO", "ON", "THEN"),
    *("ELSE", "WAIT", "FOR", "SEC", "HALT", "TRUE", "FALSE", "COMMIT"),
    *BLOCKS,
    *BLOCKS.values(),
}


def lines(file: Path) -> list[str]:
    """The statements without comments and attributes."""
    text = file.read_text(encoding="ascii")
    bare = [line.split(";")[0].strip() for line in text.splitlines() if not line.startswith("&")]
    return [line for line in bare if line]


@pytest.fixture(scope="module")
def values() -> dict[str, str]:
    """Name and value of what the data file declares."""
    found = [re.fullmatch(r"DECL \w+ (\w+)=(.+)", line) for line in lines(DATA)[1:-1]]
    assert all(found)
    return {match[1]: match[2] for match in found if match}


@pytest.mark.parametrize("file", [SOURCE, DATA], ids=lambda file: file.name)
def test_blocks_close_and_lines_fit(file: Path) -> None:
    """Each block has its end, folds too; the pendant's editor takes plain letters and 24 of a name."""
    open_blocks = []
    for line in lines(file):
        word = re.split(r"\W", line)[0]
        if word in BLOCKS:
            open_blocks.append(BLOCKS[word])
        elif word in BLOCKS.values():
            assert open_blocks.pop() == word
        assert all(len(name) <= 24 for name in re.findall(r"\w+", line))
    assert not open_blocks
    text = file.read_text(encoding="ascii")
    assert text.count(";FOLD") == text.count(";ENDFOLD")


def test_every_name_is_declared_or_known(values: dict[str, str]) -> None:
    """A name that nobody declares would stop the program at its first line."""
    for line in lines(SOURCE):
        for name in re.findall(r"(?<![$#.\w])[A-Z]\w*", line):
            assert name in KNOWN | set(values), f"{name} in {line}"


def test_it_speaks_the_clients_integers(values: dict[str, str]) -> None:
    """What the program waits for is what the client sends at good quality, and nothing below."""
    fri = load_configuration(CONFIGURATION).fri
    assert int(values["ASK_START"]) == KRL_START and int(values["ASK_STOP"]) == KRL_STOP
    assert (values["BY_INT"] == "TRUE") == (fri.handshake == "krl_int")
    for quality in Quality:
        sent = np.frombuffer(answer_bytes(fri, 1, 1, quality, np.zeros(7)), "<i4", 1, 72)[0]
        assert sent == (KRL_START if quality >= Quality.OK else KRL_PRESENT)
        assert sent != int(values["ASK_STOP"])
    text = SOURCE.read_text(encoding="ascii")
    assert "$FRI_FRM_INT[1]==ASK_START" in text and "$FRI_FRM_INT[1]<>ASK_STOP" in text


def test_it_is_one_with_the_shipped_configuration(values: dict[str, str]) -> None:
    """Sample time, control law, and the start pose in the controller's own angles and order."""
    c = load_configuration(CONFIGURATION)
    assert int(values["CYCLE_MS"]) == pytest.approx(1e3 * c.fri.sample_time)
    assert c.fri.control_strategy == "position"
    assert int(values["STRATEGY"]) == KRL_STRATEGY[ControlStrategy.POSITION]
    axes = {name: float(value) for name, value in re.findall(r"([AE]\d) (-?[\d.]+)", values["XSTART"])}
    start = np.degrees(c.robot.start)
    # the interface's order is A1 A2 E1 A3 A4 A5 A6, and its A2 is zero where the controller's is 90
    in_order = [axes["A1"], axes["A2"] - 90.0, axes["E1"], *(axes[f"A{k}"] for k in (3, 4, 5, 6))]
    np.testing.assert_allclose(in_order, start, atol=1e-3)


def test_command_mode_is_entered_once_a_start_button() -> None:
    """After command mode has ended, for whatever reason, the program stands until somebody presses Start."""
    text = "\n".join(lines(SOURCE))
    loop = text.split("LOOP", 1)[1].split("ENDLOOP")[0]
    order = [loop.index(word) for word in ("WAIT FOR", "FRISTART", "ENDWHILE", "FRISTOP", "HALT")]
    assert order == sorted(order) and loop.strip().endswith("HALT")
