"""The fingerprint of a check of the wrench: what it depends on, and what it does not."""

from pathlib import Path
from typing import Any

import pytest

from hil.configuration import Configuration
from hil.configuration.loading import configuration_from, table_of, text_of
from hil.configuration.wrench_stamp import wrench_stamp

REAL = Path(__file__).resolve().parents[3] / "configs" / "lwr_fri.toml"


def stamp(section: str, **values: Any) -> str:
    """The fingerprint of the real arm's configuration with other values in a table."""
    data = table_of(text_of(REAL), REAL)
    data[section].update(values)
    return wrench_stamp(configuration_from(data, REAL))


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("mockup", {"mass_kg": 5.1}),
        ("mockup", {"inertia_kg_m2": [0.075, 0.075, 0.076]}),
        ("robot", {"tcp_position_mm": [0.0, 0.0, 1.0]}),
        ("robot", {"tcp_rotvec_deg": [0.0, 0.0, 90.0]}),
        ("robot", {"mount_rotvec_deg": [0.0, 90.0, 0.0]}),
        ("fri", {"wrench_sign": -1}),
        ("fri", {"wrench_frame": "tool"}),
        ("fri", {"torque_sign": -1}),
        ("fri", {"controller_address": "192.168.0.21"}),
    ],
)
def test_load_tool_sign_frame_and_controller_make_another(
    real_arm: Configuration, section: str, values: dict[str, Any]
) -> None:
    """Each changes how a measured wrench is to be read, or who measures it."""
    assert stamp(section, **values) != wrench_stamp(real_arm)


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("object", {"mass_kg": 61.0}),
        ("stops", {"swing_deg": 10.0}),
        ("fri", {"port": 49939, "bind_address": "192.168.0.101", "timeout_ms": 60.0}),
        ("run", {"seed": 7}),
    ],
)
def test_what_does_not_touch_the_wrench_leaves_it(
    real_arm: Configuration, section: str, values: dict[str, Any]
) -> None:
    """Nobody hangs a weight again for them."""
    assert stamp(section, **values) == wrench_stamp(real_arm)


def test_another_model_makes_another(tmp_path: Path, real_arm: Configuration) -> None:
    """The joints' torques and the tool's axes come from it."""
    model = tmp_path / "arm.urdf"
    model.write_bytes(real_arm.robot.model.read_bytes() + b"\n<!-- another -->\n")
    robot = real_arm.robot.model_copy(update={"model": model})
    assert wrench_stamp(real_arm.model_copy(update={"robot": robot})) != wrench_stamp(real_arm)
