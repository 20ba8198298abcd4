"""Round and rectangular pegs in a robot's hand."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.jamming import jamming_seen
from hil.trials.mating.means import mean_of
from hil.trials.mating.motors_seen import torque_courses
from hil.trials.mating.peg_features import peg_features
from hil.trials.mating.peg_frames import peg_frame
from hil.trials.mating.progress import Told, unheard
from hil.trials.mating.result import MatingResult
from hil.trials.mating.robot_schema import RectangularPegExperiment, RoundPegExperiment
from hil.trials.mating.run_faults import refuse_inside, refuse_none
from hil.trials.mating.sections import pictured
from hil.trials.mating.setting import Setting, setting
from sim.insertion.insertion import InsertionRun, simulate
from sim.insertion.pegs import pair_of
from sim.insertion.plane import in_plane
from sim.mating.peg_schema import SPATIAL
from sim.mating.rectangular_peg import contact_name
from sim.mating.round_peg import NAMES

UPWARDS = np.diag([0.0, 0.0, 0.0, 1.0])
UPWARDS[0, 2] = UPWARDS[1, 1] = UPWARDS[
    2, 0
] = -1.0  # axes of a round hole, z out of it, in those of the file
TOUCHING = 1e-3  # [N] above which a contact is one


def peg_run(experiment: RoundPegExperiment | RectangularPegExperiment, told: Told = unheard) -> MatingResult:
    """Push a peg into its hole; `told` hears how far it is.

    Raises:
        ZeroGError: the robot cannot reach, the step is too long, or a file does not hold what it should.
    """
    sim = experiment.simulation
    place = setting(experiment.robot, experiment.path, sim.step)
    hole, nominal = place.hole(experiment.offset_y, experiment.offset_z), place.nominal
    if isinstance(experiment, RoundPegExperiment):
        numbers: Any = experiment.pegs.numbers
        pair = pair_of(numbers, place.peg(experiment.pegs.peg_chamfer) @ UPWARDS, hole @ UPWARDS, sim.give)
        names, axes = list(NAMES), UPWARDS[:3, :3]
    else:
        across = experiment.pegs.plane(experiment.offset_y, experiment.offset_z)
        numbers = experiment.pegs.numbers(across)
        pair = pair_of(numbers, place.peg(), hole, sim.give, across)
        names, axes = [contact_name(row) for row in range(40)], np.eye(3)
        if across != SPATIAL and sim.model == "linear":
            nominal = in_plane(nominal, place.axes, across)
    run = simulate(place.robot, nominal, place.way, sim.step, pair, (), sim.model, told)
    refuse_inside(run, place)
    refuse_none(run)
    back = experiment.pegs.peg_chamfer if isinstance(experiment, RoundPegExperiment) else 0.0
    series, phases = courses(run, place, axes, back), touching(run, names)
    for name in dict.fromkeys(names):
        force = run.rows.normals[:, [k for k, other in enumerate(names) if other == name]].sum(axis=1)
        if force.max(initial=0.0) > TOUCHING:
            series[f"{name}_n"] = force
    two = np.array([" + " in phase for phase in phases], dtype=bool)
    result = peg_features(experiment, place, run, series, phases)
    result = replace(result, jamming=jamming_seen(experiment, series, two))
    return pictured(result, partial(peg_frame, experiment, run, phases, series))


def touching(run: InsertionRun, names: list[str]) -> list[str]:
    """Return what touches at every row: names of contacts, in their order, with `+` between them."""
    known: dict[bytes, str] = {}
    found = []
    for row in run.rows.normals > TOUCHING:
        key = row.tobytes()
        if key not in known:
            known[key] = " + ".join(dict.fromkeys(names[k] for k in np.flatnonzero(row)))
        found.append(known[key])
    return found


def courses(run: InsertionRun, place: Setting, axes: Array, back: float) -> dict[str, Array]:
    """Return the courses of a peg, in the axes of the file.

    Args:
        run: see there.
        place: see there.
        axes: of the pair's own frames in those of the file, shape (3, 3).
        back: how far the peg's origin is above its bottom [m].
    """
    rows = run.rows
    force, moment = rows.wrenches[:, :3] @ axes.T, rows.wrenches[:, 3:] @ axes.T
    at = rows.poses[:, :3, 3] @ axes.T
    turned = np.einsum("ij,njk,lk->nil", axes, rows.poses[:, :3, :3], axes)
    depth = at[:, 0] + back
    step = run.t[1] - run.t[0] if len(run.t) > 1 else 1.0
    push = -force[:, 0]
    return {
        "t_s": run.t,
        "depth_mm": 1e3 * depth,
        "force_n": push,
        "force_mean_n": mean_of(push, step),
        "side_y_n": force[:, 1],
        "side_z_n": force[:, 2],
        "moment_x_n_m": moment[:, 0],
        "moment_y_n_m": moment[:, 1],
        "moment_z_n_m": moment[:, 2],
        "nominal_mm": 1e3 * (place.begin + run.way),
        "across_y_mm": 1e3 * at[:, 1],
        "across_z_mm": 1e3 * at[:, 2],
        "tilt_y_rad": turned[:, 0, 2],
        "tilt_z_rad": turned[:, 1, 0],
        "speed_mm_s": 1e3 * rows.speeds,
        **torque_courses(run),
    }
