"""O-rings and snap fasteners on a stiff machine: the part goes where it is pushed."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.features import o_ring_features, snap_features
from hil.trials.mating.progress import Told, counted, unheard
from hil.trials.mating.result import Frame, MatingResult
from hil.trials.mating.schema import MachineMotion, ORingExperiment, SnapExperiment
from hil.trials.mating.sections import o_ring_frame, pictured, snap_frame
from sim.mating.o_ring import ORing
from sim.mating.snap import SnapFastener

JAMMED = "jammed"


def depths(motion: MachineMotion) -> Array:
    """Return where the part is looked at, shape (n,) [m]."""
    count = math.floor((motion.end - motion.begin) / motion.sample + 1e-9) + 1
    return np.asarray(motion.begin + motion.sample * np.arange(count), dtype=float)


def o_ring_run(experiment: ORingExperiment, told: Told = unheard) -> MatingResult:
    """Push an O-ring through its hole."""
    part, motion = ORing(experiment.o_ring), experiment.motion
    T, twist = np.eye(4), np.zeros(6)
    T[0, 3] = experiment.eccentricity * math.cos(experiment.azimuth)
    T[1, 3] = experiment.eccentricity * math.sin(experiment.azimuth)
    twist[2] = -motion.speed
    depth, loads, squeeze = depths(motion), [], []
    phases: list[str] = []
    for at in counted(depth, told):
        T[2, 3] = -at
        wrench = part.wrench(T, twist)
        held = JAMMED in (wrench.phase, *phases[-1:])  # no force pushes the ring on from there
        loads.append(np.zeros(6) if held else wrench.load)
        phases.append(JAMMED if held else wrench.phase)
        squeeze.append(part.squeeze(T))
    load = np.array(loads)
    series = {
        **_course(depth, motion),
        "force_n": load[:, 2],
        "side_x_n": load[:, 0],
        "side_y_n": load[:, 1],
        "moment_x_n_m": load[:, 3],
        "moment_y_n_m": load[:, 4],
        "squeeze_mm": 1e3 * np.array(squeeze),
    }

    def drawn(k: int) -> Frame:
        T[2, 3] = -depth[k]
        return o_ring_frame(part, T, twist, _title(depth[k], phases[k]))

    return pictured(o_ring_features(experiment, series, phases), drawn)


def snap_run(experiment: SnapExperiment, told: Told = unheard) -> MatingResult:
    """Push a hook over its counterpart."""
    part, motion = SnapFastener(experiment.snap), experiment.motion
    T, twist, state = np.eye(4), np.zeros(6), part.begin()
    T[1, 3], T[2, 3], twist[0] = experiment.offset_y, experiment.offset_z, motion.speed
    depth, phases = depths(motion), []
    loads, bent, normal, strain, states = [], [], [], [], []
    for at in counted(depth, told):
        T[0, 3] = at - part.front
        wrench, state = part.step(state, T, twist)
        loads.append(wrench.load)
        phases.append(wrench.phase)
        bent.append(state.deformations[0])
        normal.append(state.forces.sum())
        strain.append(part.strain(state))
        states.append(state)
    load, deformation = np.array(loads), np.array(bent)
    series = {
        **_course(depth, motion),
        "force_n": -load[:, 0],
        "side_y_n": load[:, 1],
        "side_z_n": load[:, 2],
        "moment_x_n_m": load[:, 3],
        "moment_y_n_m": load[:, 4],
        "moment_z_n_m": load[:, 5],
        "bent_z_mm": 1e3 * deformation[:, 2],
        "turned_x_rad": deformation[:, 3],
        "turned_y_rad": deformation[:, 4],
        "normal_n": np.array(normal),
        "strain": np.array(strain),
    }

    def drawn(k: int) -> Frame:
        T[0, 3] = depth[k] - part.front
        return snap_frame(part, states[k], T, load[k], _title(depth[k], phases[k]))

    return pictured(snap_features(experiment, series, phases), drawn)


def _title(depth: float, phase: str) -> str:
    return f"{1e3 * depth:.2f} mm, {phase or 'apart'}"


def _course(depth: Array, motion: MachineMotion) -> dict[str, Array]:
    return {"t_s": (depth - depth[0]) / motion.speed, "depth_mm": 1e3 * depth}
