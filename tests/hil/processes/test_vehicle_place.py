"""Where an emulated vehicle stood is known to the one that is started after it, in the same run."""

from pathlib import Path

import numpy as np

from hil.processes.mains.vehicle import Place


def test_a_vehicle_that_is_started_again_stands_where_the_one_before_stood(tmp_path: Path) -> None:
    """Within a run; another run begins anew, and what is no place is none."""
    pose = np.array([1.5, -0.25, 7.0])
    first = Place(tmp_path, 77)
    assert first.read() is None
    first.write(pose)
    again = Place(tmp_path, 77).read()
    assert again is not None
    np.testing.assert_array_equal(again, pose)
    assert Place(tmp_path, 78).read() is None
    first.write(np.full(3, np.nan))
    assert Place(tmp_path, 77).read() is None
    (tmp_path / "vehicle").write_bytes(b"short")
    assert Place(tmp_path, 77).read() is None
