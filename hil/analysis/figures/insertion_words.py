"""The figures of an insertion for people."""

from collections.abc import Mapping
from typing import Any


def insertion_words(figures: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and words of the figures of `insertion_figures`; nothing where there are none."""
    if "insertion_force_n" not in figures:
        return []
    f = figures
    rows = [
        (
            "insertion force",
            f"at most {f['insertion_force_n']:.3g} N of seals and latches, "
            f"{f['insertion_force_depth_mm']:.1f} mm deep, {f['insertion_force_s']:.2f} s after the start",
        ),
        ("insertion work", f"{1e3 * f['insertion_work_j']:.3g} mJ"),
    ]
    if f["seals"]:
        many = f"{f['seals_holding']} of {f['seals']} seals"
        rows.append(("seal reached", _held(f["seal_reached_s"], many)))
    if f["latches"]:
        many = f"{f['latches_closed']} of {f['latches']} latches"
        rows.append(("latch closed", _held(f["latch_closed_s"], many)))
    return rows


def _held(since: float | None, many: str) -> str:
    return f"no, {many}" if since is None else f"since {since:.2f} s, {many}"
