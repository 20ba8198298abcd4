"""Draw the picture of a run from its trace: ideal, simulated and real motion, and its hardest push near by.

zerog simulate configs/cube.toml --duration 60 --trace run.npz
python docs/pictures/make_pictures.py run.npz
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from hil.common.arrays import Array
from hil.loop.trace.recorder import Trace

PICTURE = Path(__file__).parent / "run.png"
IDEAL = {"color": "0.65", "lw": 3.5, "label": "ideal body, true force"}
SIM = {"color": "C0", "lw": 1.3, "label": "simulation, as believed then"}
ARM = {"color": "C3", "lw": 1.3, "ls": "--", "label": "arm"}
SPAN = 5  # rows on either side of the arm's velocity
BEFORE, AFTER = 0.045, 0.5  # [s] about the hardest push


def draw(trace: Trace, path: Path) -> None:
    """Draw positions, velocities and the arm's distance from the simulation; all of it, and one push.

    Args:
        trace: of a lock-step run.
        path: PNG to be written.
    """
    figure, panels = plt.subplots(
        3, 2, figsize=(11.0, 7.0), sharex="col", height_ratios=(3, 3, 1.4), layout="constrained"
    )
    t = trace.t - trace.t[0]
    sizes = np.linalg.norm(trace.push_value[:, :3], axis=1)
    push = int(np.argmax(sizes))
    start, end = trace.push_t_start[push] - trace.t[0], trace.push_t_end[push] - trace.t[0]
    near = (t >= start - BEFORE) & (t <= end + AFTER)
    widest = int(np.argmax(np.ptp(trace.p_world_object_sim, axis=0)))
    draw_column(panels[:, 0], trace, np.ones(len(t), dtype=bool), widest)
    draw_column(panels[:, 1], trace, near, int(np.argmax(np.abs(trace.push_value[push, :3]))))
    panels[0, 0].set_title("a run")
    panels[0, 1].set_title(f"its hardest push, {sizes[push]:.1f} N s")
    panels[0, 0].legend(loc="best", fontsize="small")
    figure.savefig(path, dpi=100)
    plt.close(figure)


def draw_column(panels: Sequence[Axes], trace: Trace, rows: Array, axis: int) -> None:
    """Draw the rows of a trace along one world axis into three panels."""
    place, speed, gap = panels
    t = (trace.t - trace.t[0])[rows]
    ideal = np.where(trace.ideal_reset, np.nan, trace.p_world_object_ideal[:, axis])
    ideal_speed = np.where(trace.ideal_reset, np.nan, trace.twist_world_object_ideal[:, axis])
    arm = trace.p_world_object_arm[:, axis]
    arm_speed = np.full(len(arm), np.nan)
    arm_speed[SPAN:-SPAN] = (arm[2 * SPAN :] - arm[: -2 * SPAN]) / (
        trace.t[2 * SPAN :] - trace.t[: -2 * SPAN]
    )
    sim_speed = trace.twist_world_object_sim[:, axis] * trace.rate
    for panel, lines in (
        (place, (ideal, trace.p_world_object_sim[:, axis], arm)),
        (speed, (ideal_speed, sim_speed, arm_speed)),
    ):
        for values, style in zip(lines, (IDEAL, SIM, ARM), strict=True):
            panel.plot(t, 1e3 * values[rows], **style)
    distance = np.linalg.norm(trace.p_world_object_arm - trace.p_world_object_sim, axis=1)
    gap.plot(t, 1e3 * distance[rows], color="C3", lw=1.0)
    place.set_ylabel(f"{'xyz'[axis]} of the centre [mm]")
    speed.set_ylabel("its velocity [mm/s]")
    gap.set_ylabel("arm to sim [mm]")
    gap.set_xlabel("virtual time [s]; pushes shaded")
    gap.set_xlim(t[0], t[-1])
    for panel in panels:
        shade_pushes(panel, trace)


def shade_pushes(panel: Axes, trace: Trace) -> None:
    """Shade the times of the true pushes."""
    for start, end in zip(trace.push_t_start, trace.push_t_end, strict=True):
        panel.axvspan(start - trace.t[0], end - trace.t[0], color="C1", alpha=0.25, lw=0)


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trace", type=Path, metavar="RUN.npz")
    parser.add_argument("--out", type=Path, default=PICTURE)
    options = parser.parse_args()
    draw(Trace.load(options.trace), options.out)


if __name__ == "__main__":
    main()
