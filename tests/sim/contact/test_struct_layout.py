"""MuJoCo's memory is checked before it is relied upon."""

import mujoco
import pytest

from hil.common.errors import SimulationError
from sim.contact import struct_layout
from sim.contact.struct_layout import data_layout


def test_layout_of_the_installed_version_is_found() -> None:
    """The members that stand side by side in `mjData` come out side by side."""
    layout = data_layout()
    assert layout[struct_layout.N_ROWS] == layout[struct_layout.N_CONTACTS] + 4
    assert layout[struct_layout.ROW_R] == layout[struct_layout.ROW_D] + 1
    assert layout[struct_layout.ROW_REFERENCE] == layout[struct_layout.ROW_VELOCITY] + 1


def test_another_layout_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that is elsewhere is named, with the version and the remedy."""
    monkeypatch.setitem(struct_layout._FIELDS, "mu", (struct_layout.MU + 1, 1))
    data_layout.cache_clear()
    with pytest.raises(SimulationError, match=rf"{mujoco.__version__}: mjContact.mu .* requirements.lock"):
        data_layout()
    monkeypatch.undo()
    data_layout.cache_clear()
    data_layout()
