"""What is printed of a finding, and that the configuration takes it as it is printed."""

import re
import tomllib

import numpy as np
import pytest

from bench.fidelity import CONFIGS
from hil.commands.cli import main
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration, load_configuration
from hil.configuration.load_stamp import load_stamp
from hil.wrench.load.found_words import found_lines, found_table
from hil.wrench.load.identification import FoundLoad
from hil.wrench.load.left_over import LeftOver
from hil.wrench.load.offset import FoundOffset

VALUE = np.array([0.5, 0.01, -0.02, 0.03, 0.007, 0.008, 0.009, 1e-4, 2e-4, -3e-4])
FOUND = FoundLoad(VALUE, 0.1 * np.abs(VALUE), np.arange(10) < 5, np.array([0.1, 0.02]))


OFFSET = FoundOffset(
    True, np.array([0.1, -0.2, -4.9, 0.01, 0.02, 0.03]), np.full(6, 0.01),
    np.arange(18.0).reshape(6, 3) - 9.0, np.full((6, 3), 0.2), np.zeros(6),
)  # fmt: skip
WEIGHED = FoundLoad(VALUE, 0.1 * np.abs(VALUE), FOUND.shown, FOUND.noise, True, OFFSET)


def with_table(tmp_path, lines: list[str]):
    """A run's file with this table in it."""
    text = (CONFIGS / "cube.toml").read_text(encoding="utf-8")
    path = tmp_path / "run.toml"
    model = str(CONFIGS / "robots/lwr4.urdf")
    path.write_text(text.replace("robots/lwr4.urdf", model) + "\n" + "\n".join(lines) + "\n")
    return path


def test_the_table_is_taken_as_it_is_printed(cube: Configuration, tmp_path) -> None:
    """The same ten numbers in SI, and their intervals."""
    lines = found_lines(FOUND, None, cube)
    table = lines[lines.index("[mockup.found]") :]
    found = load_configuration(with_table(tmp_path, table)).mockup.found
    assert found is not None
    np.testing.assert_allclose(found.parameters, VALUE, atol=1e-6)
    told = [found.mass_interval, *found.moment_interval, *found.inertia_interval]
    np.testing.assert_allclose(told, FOUND.interval, atol=1e-6)


def test_what_is_read_at_rest_is_taken_as_it_is_printed(cube: Configuration, tmp_path) -> None:
    """Offset and slope by row, of an estimate; a sensor's finding has none of it: that is tared."""
    table = found_table(WEIGHED, load_stamp(cube))
    found = load_configuration(with_table(tmp_path, table)).mockup.found
    assert found is not None and found.weighs and found.bias is not None
    np.testing.assert_allclose([*found.bias, *found.bias_torque], OFFSET.bias, atol=1e-6)
    np.testing.assert_allclose([*found.slope, *found.slope_torque], OFFSET.slope.ravel(), atol=1e-6)
    told = [*found.slope_interval, *found.slope_torque_interval]
    np.testing.assert_allclose(told, OFFSET.slope_interval.ravel(), atol=1e-6)
    turning = FoundOffset(False, *(getattr(OFFSET, k) for k in list(OFFSET.__dataclass_fields__)[1:]))
    sensor = FoundLoad(VALUE, FOUND.interval, FOUND.shown, FOUND.noise, True, turning)
    assert found_table(sensor, "ab") == found_table(FOUND, "ab")


def test_weight_offset_and_what_is_left_are_told(cube: Configuration) -> None:
    """In words, with before and after; of what was not weighed too, and of what was mended."""
    left = LeftOver(np.array([[0.9, 0.5], [0.13, 0.11]]), np.array([[1.8, 0.007], [0.1, 0.002]]))
    told = "\n".join(found_lines(WEIGHED, left, cube))
    assert "missed as well; its force keeps the base's axes" in told
    assert "force z      -4.9000 +- 0.0100 N, over the place [-3.00, -2.00, -1.00] +- 0.20 N/m" in told
    assert "at rest    1.800 -> 0.007 N, 0.1000 -> 0.0020 N m" in told
    assert "not weighed" in "\n".join(found_lines(FOUND, None, cube))
    mended = FoundLoad(VALUE, FOUND.interval, FOUND.shown, FOUND.noise, False, OFFSET, True)
    told = "\n".join(found_lines(mended, None, cube))
    assert "as measured no body's" in told and "weight     not missed" in told


def test_an_offset_that_would_be_a_spring_is_refused(cube: Configuration, tmp_path) -> None:
    """Taken out over the place it acts like one; and what counts beside a bias is none without it."""
    steep = FoundOffset(True, OFFSET.bias, OFFSET.bias_interval, np.full((6, 3), 101.0),
                        OFFSET.slope_interval, OFFSET.drift)  # fmt: skip
    found = FoundLoad(VALUE, FOUND.interval, FOUND.shown, FOUND.noise, True, steep)
    with pytest.raises(ConfigurationError, match=r"mockup.found.slope_n_per_m.*100"):
        load_configuration(with_table(tmp_path, found_table(found, load_stamp(cube))))
    table = [line for line in found_table(WEIGHED, load_stamp(cube)) if not line.startswith("bias_n ")]
    with pytest.raises(ConfigurationError, match=r"mockup.found.bias_n is missing"):
        load_configuration(with_table(tmp_path, table))


def test_people_are_told_what_was_not_shown_and_where_the_centre_is(cube: Configuration) -> None:
    """Five of ten are not; the centre by division, or not known where the mass is not."""
    lines = found_lines(FOUND, None, cube)
    assert sum("not shown by this motion" in line for line in lines) == 5
    assert any("centre     20 +- 3, -40 +- 6, 60 +- 8 mm" in line for line in lines)
    unknown = FoundLoad(VALUE, 2.0 * np.abs(VALUE), FOUND.shown, FOUND.noise)
    assert any("not known" in line for line in found_lines(unknown, None, cube))


def test_a_finding_for_another_load_is_refused(cube: Configuration, tmp_path) -> None:
    """Both fingerprints are told; what it depends on changes them, and the emulator's truth does not."""
    path = with_table(tmp_path, found_table(FOUND, load_stamp(cube)))
    assert load_configuration(path, ["mockup.uncompensated=0.3"]).mockup.found is not None
    for change in (
        "mockup.mass_kg=4.0", "mockup.inertia_kg_m2=[0.1,0.1,0.1]", "object.position_mm=[0.0,0.0,100.0]",
        "robot.tcp_position_mm=[0.0,0.0,10.0]", "fri.wrench_sign=-1", "robot.mount_rotvec_deg=[0.0,5.0,0.0]",
    ):  # fmt: skip
        with pytest.raises(ConfigurationError, match=re.escape(f"'{load_stamp(cube)}' is not that of")):
            load_configuration(path, [change])


def test_more_than_a_mockup_has_is_refused(cube: Configuration, tmp_path) -> None:
    """A unit or a digit too much would feed the arm's own motion back to it; every such number is told.

    Of 5 kg and 0.3 m the moment is at most 5 * 0.15 * 2 = 1.5 kg m, of 0.075 kg m2 twice that.
    """
    for changes, told in (
        ({4: 0.1501}, [r"inertia_kg_m2\[0\] = 0.1501 .*\+-0.15,"]),
        ({7: -0.0751}, [r"inertia_kg_m2\[3\] = -0.0751 .*\+-0.075,"]),
        ({2: 1.51, 3: -1.51}, [r"moment_kg_mm\[1\] = 1510 .*\+-1500,", r"moment_kg_mm\[2\] = -1510 "]),
    ):
        value = VALUE.copy()
        value[list(changes)] = list(changes.values())
        found = FoundLoad(value, 0.1 * np.abs(VALUE), FOUND.shown, FOUND.noise)
        with pytest.raises(ConfigurationError) as refused:
            load_configuration(with_table(tmp_path, found_table(found, load_stamp(cube))))
        for words in told:
            assert re.search(words, str(refused.value)), str(refused.value)
        assert str(refused.value).count("more than load data can miss") == len(told)
    heavy = with_table(tmp_path, found_table(FOUND, load_stamp(cube)))
    with pytest.raises(ConfigurationError, match=r"mockup.found.mass_kg = 0.5 is more than .*\+-0.4,"):
        load_configuration(heavy, ["mockup.mass_kg=0.2"])


def test_the_table_is_toml_by_itself() -> None:
    """Ten numbers, ten intervals, one stamp."""
    table = tomllib.loads("\n".join(found_table(FOUND, "ab")))["mockup"]["found"]
    assert table["stamp"] == "ab" and len(table) == 7


def test_check_says_how_much_is_left_open(
    cube: Configuration, tmp_path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Instead of how much too small impulses come out."""
    assert main(["check", str(with_table(tmp_path, found_table(FOUND, load_stamp(cube))))]) == 0
    told = capsys.readouterr().out
    assert "takes 0.50 +- 0.05 kg out of the impulses: 0.08 % are left open" in told
    assert "too small" not in told
    assert "held are 5.50 +- 0.05 kg, [2, -4, 5] mm from" in told and "it was not weighed" in told
    assert main(["check", str(with_table(tmp_path, found_table(WEIGHED, load_stamp(cube))))]) == 0
    told = capsys.readouterr().out
    assert "the missed weight and an offset of up to 9.0 N/m over the place are taken out" in told
