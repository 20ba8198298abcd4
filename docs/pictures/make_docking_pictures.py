"""Draw the pictures of docking: a run with its forces, and the capture envelopes of 4 and 20 pins.

python -m docs.pictures.make_docking_pictures [--run-only]
"""

import argparse
import os
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from hil.configuration import load_configuration
from hil.trials.docking.envelope import envelope_map
from hil.trials.docking.envelope_picture import draw_envelope, envelope_title
from hil.trials.docking.trial import Trial, docking_trial

ROOT = Path(__file__).parents[2]
FILE = ROOT / "configs/docking.toml"
FOLDER = Path(__file__).parent
MAPS = {"docking-envelope": (), "docking-envelope-20": ('docking.interfaces = "scenes/docking20.toml"',)}


def draw_run(trial: Trial, full_push: float, path: Path) -> None:
    """Draw depth, tilt and contact force of one docking.

    Args:
        trial: played to its end.
        full_push: when the push is whole [s].
        path: PNG to be written.
    """
    seen = trial.history
    figure, (depth, tilt, force) = plt.subplots(3, 1, sharex=True, figsize=(8.0, 6.2), layout="constrained")
    depth.fill_between(
        seen.time, 100 * seen.depth.min(axis=1), 100 * seen.depth.max(axis=1), color="C0", alpha=0.35, lw=0
    )
    depth.plot(seen.time, 100 * seen.depth.mean(axis=1), color="C0", lw=1.2)
    depth.axhline(95.0, color="0.5", lw=0.8, ls="--")
    depth.set_ylabel("depth of the pins [%]")
    tilt.plot(seen.time, np.degrees(seen.tilt), color="C2", lw=1.2)
    tilt.axhline(0.2, color="0.5", lw=0.8, ls="--")
    tilt.set_ylabel("tilt [deg]")
    force.plot(seen.time, seen.force, color="C3", lw=0.7)
    force.set_ylabel("contact force [N]")
    force.set_xlabel("time [s]")
    for axes in (depth, tilt, force):
        axes.axvline(full_push, color="0.7", lw=0.8)
        if trial.seated is not None:
            axes.axvspan(trial.seated, trial.time, color="C2", alpha=0.12, lw=0)
        axes.set_xlim(0.0, trial.time)
    depth.set_title(
        f"{trial.word} after {trial.time:.2f} s; whole push from {full_push:.0f} s, seated: shaded"
    )
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--run-only", action="store_true", help="without the envelopes")
    options = parser.parse_args()
    configuration = load_configuration(FILE)
    docking = configuration.docking
    assert docking is not None
    touch = docking.approach.distance / docking.approach.speed
    draw_run(docking_trial(configuration), touch + docking.push.rise, FOLDER / "docking-run.png")
    for name, settings in () if options.run_only else MAPS.items():
        found = envelope_map(FILE, settings, docking, os.cpu_count() or 1, Path(), lambda done, total: None)
        title = envelope_title(load_configuration(FILE, settings))
        draw_envelope(found, title, FOLDER / f"{name}.png")
        print(f"{name}: {found.counts}")


if __name__ == "__main__":
    main()
