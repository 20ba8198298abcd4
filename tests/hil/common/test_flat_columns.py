"""Names and numbers of flat columns: one name a number, its unit at the end, times in seconds."""

import doctest

import numpy as np
import pytest

from hil.common import flat_columns
from hil.common.flat_columns import Table, flat_names, frame_of, seconds, suffix

NAMES = {
    ("twist_world_object", (6,), "m/s, rad/s"): "v_x_m_s v_y_m_s v_z_m_s "
    "omega_x_rad_s omega_y_rad_s omega_z_rad_s",
    ("p_world_object", (3,), "m"): "p_x_m p_y_m p_z_m",
    ("quat_world_object_arm", (4,), "w x y z"): "quat_arm_w quat_arm_x quat_arm_y quat_arm_z",
    ("wrench_object", (6,), "N, N m"): "force_object_x_n force_object_y_n force_object_z_n "
    "torque_object_x_n_m torque_object_y_n_m torque_object_z_n_m",
    ("impulse_object", (6,), "N s, N m s"): "impulse_object_x_n_s impulse_object_y_n_s impulse_object_z_n_s "
    "impulse_object_rx_n_m_s impulse_object_ry_n_m_s impulse_object_rz_n_m_s",
    ("q_command", (7,), "rad"): "q_command_a1_rad q_command_a2_rad q_command_a3_rad q_command_a4_rad "
    "q_command_a5_rad q_command_a6_rad q_command_a7_rad",
    ("tip", (7,), "m, w x y z"): "tip_x_m tip_y_m tip_z_m tip_quat_w tip_quat_x tip_quat_y tip_quat_z",
    ("time_map", (4,), "s, s, 1, 1"): "time_map_0_s time_map_1_s time_map_2 time_map_3",
    ("slices", (3,), "1"): "slices_0 slices_1 slices_2",
    ("delay", (), "s"): "delay_s",
    ("threshold", (), "N/s"): "threshold_n_per_s",
    ("state", (), "text"): "state",
}  # fmt: skip


@pytest.mark.parametrize("told", NAMES, ids=lambda told: told[0])
def test_each_number_has_a_name_with_its_unit(told: tuple[str, tuple[int, ...], str]) -> None:
    """By hand, for each kind of array that messages and traces have."""
    assert [name for name, _ in flat_names(*told)] == NAMES[told].split()


def test_the_examples_hold() -> None:
    """Those of the docstrings."""
    assert doctest.testmod(flat_columns).failed == 0
    assert suffix("kg m2/s") == "kg_m2_s" and suffix("N m/s") == "n_m_per_s" and suffix("1") == ""
    assert frame_of("twist_world_object_sim") == "world" and frame_of("wrench_world") == "world"


def test_seconds_are_exact_to_the_nanosecond() -> None:
    """Of a clock that has run for months, from an origin on."""
    origin = 12_345_678_901_234_567
    assert seconds(np.array([origin + 1, origin + 2_000_000, origin - 1_000_000_000]), origin).tolist() == [
        1e-9, 0.002, -1.0,
    ]  # fmt: skip


def test_a_table_has_one_column_a_number_in_the_order_of_memory() -> None:
    """Units and frames by column; lists of other lengths apart; also of an empty array."""
    table, values = Table(), np.arange(12.0).reshape(2, 6)
    table.add("wrench_world", "N, N m", values)
    table.add("slices", "1", np.zeros((0, 3), int), ragged=True)
    assert np.array_equal(np.column_stack(list(table.columns.values())), values)
    assert table.units["torque_world_z_n_m"] == "N m" and table.frames["force_world_x_n"] == "world"
    assert [*table.ragged] == ["slices_0", "slices_1", "slices_2"] and "slices_0" not in table.columns
