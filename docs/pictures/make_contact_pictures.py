"""Draw the contacts of a pin and a holed box: the cases of the manifold, and where the subdivision misses.

python -m docs.pictures.make_contact_pictures
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline

from bench.contact_misses import class_row, compare
from hil.common.arrays import Array
from sim.contact.manifold import CONTACT_SIZE, MAX_CONTACTS, manifold_into
from sim.contact.rows import KIND_NAMES
from sim.contact.subdivision import nearest_rim_position
from tests.sim.contact.pose_classes import AX, CLASSES, HOLE, C, H, R, draw

PICTURES = Path(__file__).parent
THIN = 0.0150  # [m] radius of the drawn pins: their play and their overlaps can be seen
LEVELS = 8
# title, ends of the axis in the plane y = 0 [m]
CASES = [
    ("wholly inside", (-0.0033, -0.0474), (0.0036, -0.020)),
    ("inserted and tilted", (-0.0034, -0.035), (0.0080, 0.030)),
    ("end at the rim", (0.0085, 0.0105), (0.022, 0.050)),
    ("leaning on the rim", (-0.0036, -0.0130), (0.034, 0.030)),
    ("lying across the hole", (-0.034, 0.0143), (0.034, 0.0143)),
    ("over an outer edge", (0.024, 0.0205), (0.075, 0.0045)),
]


def draw_case(axes: Axes, title: str, p0: Array, p1: Array) -> None:
    """Draw one pose in the section y = 0 with all contacts, points and normals."""
    section = [(-AX, 0), (-R, 0), (-R, -H)]
    section += [(-R * np.cos(w), -H - R * np.sin(w)) for w in np.linspace(0, np.pi, 40)]
    section += [(R, -H), (R, 0), (AX, 0), (AX, -C), (-AX, -C), (-AX, 0)]
    axes.add_patch(PathPatch(Outline(1e3 * np.array(section)), facecolor="0.85", edgecolor="0.4", lw=0.8))
    along = (p1 - p0) / np.linalg.norm(p1 - p0)
    across = np.array([-along[1], along[0]])
    turn = np.linspace(0, np.pi, 40)[:, None]
    caps = [p1 + THIN * (np.cos(turn) * -across + np.sin(turn) * along)]
    caps.append(p0 + THIN * (np.cos(turn) * across - np.sin(turn) * along))
    outline = np.vstack([*caps, caps[0][:1]])
    axes.add_patch(PathPatch(Outline(1e3 * outline), facecolor="C0", alpha=0.25, edgecolor="C0", lw=0.8))
    axes.plot(*(1e3 * np.array([p0, p1])).T, color="C0", lw=0.8, ls="--")
    out = np.empty((MAX_CONTACTS, CONTACT_SIZE))
    ends = (np.array([p[0], 0.0, p[1]]) for p in (p0, p1))
    names = []
    for row in out[: manifold_into(out, *ends, THIN, HOLE)]:
        x, z, nx, nz = 1e3 * row[1], 1e3 * row[3], row[4], row[6]
        axes.annotate("", (x + 13 * nx, z + 13 * nz), (x, z), arrowprops={"arrowstyle": "->", "color": "C3"})
        axes.plot(x, z, "o", color="C3", ms=4)
        names.append(KIND_NAMES[int(row[7])])
    counts = [f"{names.count(name)} × {name}" for name in dict.fromkeys(names)]
    axes.set_title(f"{title}\n{'; '.join(counts)}", fontsize=9)
    axes.set_aspect("equal")
    axes.set_xlim(-70, 96)
    axes.set_ylim(-80, 75)
    axes.axis("off")


def draw_manifold(path: Path) -> None:
    """Draw the cases of the manifold."""
    figure, panels = plt.subplots(2, 3, figsize=(9.5, 6.2), layout="constrained")
    for axes, (title, p0, p1) in zip(panels.flat, CASES, strict=True):
        draw_case(axes, title, np.array(p0), np.array(p1))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def along_rim(p0: Array, p1: Array) -> tuple[Array, Array, Array, Array]:
    """Return angles around the rim [deg], and of the infinite line distances, places and nearest points."""
    u = p1 - p0
    angle = np.linspace(-180.0, 180.0, 2001)
    rim = R * np.column_stack([np.cos(np.radians(angle)), np.sin(np.radians(angle)), np.zeros_like(angle)])
    t = (rim - p0) @ u / (u @ u)
    foot = p0 + t[:, None] * u
    return angle, np.linalg.norm(rim - foot, axis=1), t, foot


def missed_pose() -> tuple[float, Array, Array, Array]:
    """Return a leaning pose with a contact in a dip of its own, which the search misses, and that contact."""
    for r, p0, p1 in zip(*draw("leaning on the rim", 1500, 1), strict=True):
        exact, found = compare(p0, p1, r, LEVELS)
        if len(exact) == 1 and np.isnan(found[0, 0]) and -1.5e-3 < exact[0, 0] < -5e-4:
            _, distance, _, _ = along_rim(p0, p1)
            peaks = distance[(distance > np.roll(distance, 1)) & (distance > np.roll(distance, -1))]
            if len(peaks) == 2 and peaks.min() > exact[0, 0] + r + 2e-3:
                return r, p0, p1, exact[0]
    raise RuntimeError("no pose is missed: then this picture has nothing to show")


def draw_rim(axes: Axes) -> None:
    """Draw what the search sees along the rim in one pose: gap to the infinite line, valid or not."""
    r, p0, p1, contact = missed_pose()
    angle, distance, t, foot = along_rim(p0, p1)
    gap = 1e3 * (distance - r)
    valid = (t > 0.0) & (t < 1.0) & (foot[:, 2] >= 0.0) & (np.hypot(foot[:, 0], foot[:, 1]) <= R)
    axes.axhline(0.0, color="0.6", lw=0.8)
    axes.plot(angle, gap, color="0.7", lw=1.5, label="nearest point below the face or off the body")
    axes.plot(angle, np.where(valid, gap, np.nan), color="C0", lw=2.5, label="above the opening: may touch")
    cx, cy, _ = nearest_rim_position(*p0, *(p1 - p0), R, LEVELS)
    picked = np.degrees(np.arctan2(cy, cx))
    axes.plot(picked, np.interp(picked, angle, gap), "x", color="C1", ms=9, mew=2.5, label="the search's end")
    point = contact[1:4] - 0.5 * contact[0] * contact[4:7]
    true = np.degrees(np.arctan2(point[1], point[0]))
    axes.plot(true, 1e3 * contact[0], "o", color="C3", ms=7, label="the contact that it misses")
    axes.set_xlabel("position on the rim [deg]")
    axes.set_ylabel("gap between rim and body [mm]")
    axes.set_xticks(np.arange(-180, 181, 90))
    axes.set_ylim(gap.min() - 1.0, gap.max() + 0.6 * np.ptp(gap))
    axes.set_title("one pose that leans on the rim", fontsize=10)
    axes.legend(fontsize="small", loc="upper left")


def draw_shares(axes: Axes) -> None:
    """Draw the share of rim contacts of the body that the search misses in each class."""
    rows = [class_row(name, LEVELS, 1500) for name in CLASSES]
    rows = [row for row in rows if row["bodies"]]
    shares = [100.0 * row["bodies_missed"] / row["bodies"] for row in rows]
    bars = axes.barh([row["class"] for row in rows], shares, color="C1")
    axes.bar_label(
        bars, [f"{row['bodies_missed']} of {row['bodies']}" for row in rows], padding=3, fontsize=9
    )
    axes.set_xlim(0, 125)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.invert_yaxis()
    axes.set_xlabel("missed contacts of rim and body [%]")
    axes.set_title(f"1,500 poses of each class, {LEVELS} levels", fontsize=10)


def draw_misses(path: Path) -> None:
    """Draw where the subdivision misses contacts."""
    figure, panels = plt.subplots(1, 2, figsize=(10.5, 3.8), layout="constrained", width_ratios=(1.25, 1))
    draw_rim(panels[0])
    draw_shares(panels[1])
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main() -> None:
    """Draw both pictures."""
    draw_manifold(PICTURES / "contact_manifold.png")
    draw_misses(PICTURES / "contact_misses.png")


if __name__ == "__main__":
    main()
