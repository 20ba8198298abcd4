"""What is wrong with bodies inside is said in a line that names file, key, value, bound and remedy."""

from pathlib import Path
from typing import Any

import pytest

from bench.acceptance.inside_trials import CONFIGS
from hil.common.errors import ConfigurationError
from hil.configuration.loading import configuration_from, table_of, text_of
from sim.world.flight.inside_setting import inside_flight

PANEL = {
    "hinge_mm": [0.0, 250.0, 0.0], "axis": [1.0, 0.0, 0.0], "centre_mm": [0.0, 600.0, 0.0], "mass_kg": 2.0,
    "inertia_kg_m2": [0.24, 0.03, 0.27], "frequency_hz": 0.4,
}  # fmt: skip
ARM = {"kind": "gyrostat", "arm": "robots/lwr4.urdf"}
ROW = {"time_s": 1.0, "joints_deg": [0.0] * 7}
HEADER = "time_s,A1_deg,A2_deg,A3_deg,A4_deg,A5_deg,A6_deg,A7_deg\n"


def refusal(inside: dict[str, Any], **more: Any) -> str:
    """Return what is said of a cube with something inside."""
    path = CONFIGS / "cube.toml"
    table = table_of(text_of(path), path)
    table["object"]["inside"] = inside
    for name, value in more.items():
        table[name] = table.get(name, {}) | value if isinstance(value, dict) else value
    with pytest.raises(ConfigurationError) as said:
        inside_flight(configuration_from(table, path))
    assert len(str(said.value).splitlines()) == 1
    return str(said.value)


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ({"kind": "jelly"}, ["object.inside.kind = 'jelly'", "gyrostat"]),
        ({"kind": "gyrostat"}, ["object.inside.arm is missing"]),
        (ARM, ["object.inside.script", "exactly one"]),
        (ARM | {"arm": "robots/none.urdf", "knot": [ROW]}, ["object.inside.arm", "is no file"]),
        (ARM | {"knot": [ROW, ROW]}, ["row 2", "at least 1 ms later"]),
        (ARM | {"knot": [ROW | {"joints_deg": [0.0] * 6}]}, ["has 6 joints", "has 7", "A1"]),
        (ARM | {"knot": [ROW | {"joints_deg": [0.0] * 6 + [float("nan")]}]}, ["joints_deg[6]"]),
        (ARM | {"knot": [ROW | {"joints_deg": [200.0] + [0.0] * 6}]}, ["'A1' is at 200 deg", "170"]),
        (
            ARM | {"knot": [ROW, {"time_s": 1.5, "joints_deg": [90.0] + [0.0] * 6}]},
            ["'A1' goes at", "limit is 108.9 deg/s", "more time"],
        ),
        (ARM | {"knot": [ROW], "motion": "stream"}, ["object.inside.knot is refused with motion = 'stream'"]),
        (ARM | {"motion": "stream", "start_deg": [0.0] * 3}, ["start_deg has 3 joints"]),
        (ARM | {"motion": "stream", "start_deg": [180.0] + [0.0] * 6}, ["joint 'A1' must be within"]),
        (ARM | {"knot": [ROW], "panel": [PANEL]}, ["object.inside.panel is refused with kind = 'gyrostat'"]),
        ({"kind": "modes"}, ["has no modes"]),
        ({"kind": "modes", "panel": [PANEL | {"mass_kg": 80.0}]}, ["weigh 80 kg", "object.mass_kg = 60"]),
        ({"kind": "modes", "panel": [PANEL | {"mass_kg": 20.0}]}, ["modal masses", "all must be above 0"]),
        (
            {"kind": "modes", "panel": [PANEL | {"frequency_hz": 9.0}]},
            ["faster than the arm can follow", "5 Hz"],
        ),
        ({"kind": "modes", "panel": [PANEL | {"frequency_hz": 0.0}]}, ["a free hinge is no vibration"]),
        ({"kind": "modes", "panel": [PANEL | {"axis": [0.0, 0.0, 0.0]}]}, ["panel[0].axis", "no direction"]),
        ({"kind": "modes", "panel": [PANEL | {"inertia_kg_m2": [9.0, 1.0, 1.0]}]}, ["is no body's"]),
        (
            {
                "kind": "modes",
                "mode": [{"frequency_hz": 1.0, "translation": [9.0, 0.0, 0.0], "rotation": [0.0] * 3}],
            },
            ["modal masses"],
        ),
        ({"kind": "tree"}, ["nothing that hangs on the base"]),
        ({"kind": "tree", "panel": [PANEL | {"mass_kg": 80.0}]}, ["weighs 80 kg", "base's alone"]),
        ({"kind": "tree", "panel": [PANEL], "stiffness_n_m_per_rad": [1.0]}, ["without an arm"]),
        (ARM | {"kind": "tree", "stiffness_n_m_per_rad": [1.0]}, ["stiffness_n_m_per_rad has 1 values", "7"]),
    ],
)
def test_what_is_wrong_inside_is_said_in_a_line(inside: dict[str, Any], words: list[str]) -> None:
    """Each fault names key, value, bound and remedy."""
    said = refusal(inside)
    for word in words:
        assert word in said, said


def test_a_light_base_refuses_a_heavy_arm() -> None:
    """An arm heavier than the base that carries it is refused with both numbers."""
    said = refusal(ARM | {"knot": [ROW]}, object={"mass_kg": 9.0, "inside": ARM | {"knot": [ROW]}})
    assert "what moves weighs 13.8" in said and "object.mass_kg = 9" in said


def test_bodies_inside_fly_alone() -> None:
    """Scenes, admittances and continuous force know rigid bodies only."""
    assert 'force.mode = "pushes"' in refusal({"kind": "modes", "panel": [PANEL]}, force={"mode": "contact"})
    scene = {"file": "scenes/room.xml"}
    assert "scene are both given" in refusal({"kind": "modes", "panel": [PANEL]}, scene=scene)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["is empty", "time_s,A1_deg"]),
        ("time_s,B1_deg\n0,0\n", ["line 1 must name", "A7_deg"]),
        (HEADER + "0,0,0,0,0,0,0\n", ["line 2 is not 8 finite numbers"]),
        (HEADER + "0,0,0,0,0,0,0,nan\n", ["line 2 is not 8 finite numbers"]),
        (HEADER + "1,0,0,0,0,0,0,0\n0.5,0,0,0,0,0,0,0\n", ["row 2 is at 0.5 s", "at least 1 ms later"]),
        (HEADER + "-1,0,0,0,0,0,0,0\n", ["object time begins at 0"]),
    ],
)
def test_a_script_that_is_wrong_is_refused(tmp_path: Path, text: str, words: list[str]) -> None:
    """A file that does not fit the arm, goes back in time or is not finite is refused with its line."""
    file = tmp_path / "arm.csv"
    file.write_text(text)
    said = refusal(ARM | {"script": str(file)})
    for word in words:
        assert word in said, said
