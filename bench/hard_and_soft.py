"""Larger sets of contacts, hard as here and soft as MuJoCo has them, on the same bodies and contact points.

Run: python -m bench.hard_and_soft [--json FILE]

Bodies, contact points, mass matrix and time step (1 ms) are MuJoCo's; only what becomes of the contacts
differs. Soft: MuJoCo's defaults (time constant 20 ms, damping ratio 1, impedance 0.9 to 0.95), elliptic
cones, Newton. Hard: `moreau_step`, each step begun with the impulses of the last.
"""

import argparse
import time
from pathlib import Path

import mujoco
import numpy as np

from bench.report import Row, print_rows, write_rows
from hil.common.arrays import Array
from hil.common.kernel_cache import use_kernel_cache
from sim.complementarity.answers import TOLERANCE
from sim.complementarity.moreau_step import moreau_step, step_residual
from sim.complementarity.step_work import StepWork, step_work

STEP, FRICTION, GRAVITY = 1e-3, 0.5, 9.81
HALF, MASS = 0.1, 2.0  # of a box [m], [kg]
MARGIN = 1e-3  # [m] within which contacts are looked for, of touch


def scene(bodies: str, tilt: float, margin: float) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return bodies on a plane; the tilt turns gravity, contacts are looked for within the margin."""
    down = f"{GRAVITY * np.sin(tilt)} 0 {-GRAVITY * np.cos(tilt)}"
    text = (
        f'<mujoco><option timestep="{STEP}" gravity="{down}" cone="elliptic" iterations="100" '
        f'tolerance="1e-12"/><default><geom friction="{FRICTION} 0 0" condim="3" margin="{margin}"/>'
        "</default>"
        f'<worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>'
    )
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


def box(height: float) -> str:
    """Return a box whose middle is that high."""
    size = f"{HALF} {HALF} {HALF}"
    return f'<body pos="0 0 {height}"><freejoint/><geom type="box" size="{size}" mass="{MASS}"/></body>'


def pins() -> str:
    """Return a plate on 20 pins with round ends, in five rows of four."""
    ends = "".join(
        f'<geom type="sphere" size="0.005" mass="0.02" pos="{0.04 * i} {0.04 * k} -0.045"/>'
        for i in range(-2, 3)
        for k in (-1.5, -0.5, 0.5, 1.5)
    )
    plate = f'<geom type="box" size="0.1 0.08 0.01" mass="{MASS}" contype="0" conaffinity="0"/>'
    return f'<body pos="0 0 0.05"><freejoint/>{plate}{ends}</body>'


class Hard:
    """Steps a model by hard contacts.

    Attributes:
        unsolved: steps whose contacts were not solved.
        contacts: in the last step.
        seconds: of each step, without MuJoCo's part.
        impulses: of the last step, of each contact the normal one first.
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.model, self.data = model, data
        self.unsolved = self.contacts = 0
        self.seconds: list[float] = []
        self.impulses = np.zeros(0)
        self._rooms: dict[int, StepWork] = {}

    def step(self) -> None:
        """Move on by one time step."""
        model, data = self.model, self.data
        mujoco.mj_forward(model, data)
        m, n = model.nv, data.ncon
        M, zero, W = np.zeros((m, m)), np.zeros((m, m)), np.zeros((m, 3 * n))
        mujoco.mj_fullM(model, data, M)
        gaps = np.array([contact.dist for contact in data.contact[:n]])
        for i, contact in enumerate(data.contact[:n]):
            W[:, 3 * i : 3 * i + 3] = (contact.frame.reshape(3, 3) @ self._slide(contact)).T
        work = self._rooms.setdefault(n, step_work(m, n, 3))
        v, force = data.qvel.copy(), data.qfrc_applied + data.qfrc_passive - data.qfrc_bias
        each = np.full(n, FRICTION), np.zeros(n)
        begin = time.perf_counter()
        moreau_step(M, zero, zero, v, zero[0], force, W, gaps, *each, STEP, 1.0, 0.2, work)
        self.seconds.append(time.perf_counter() - begin)
        if n:
            self.unsolved += bool(step_residual(work, 3) > TOLERANCE)
        self.contacts, self.impulses = n, work.p
        data.qvel[:] = work.v
        mujoco.mj_integratePos(model, data.qpos, data.qvel, STEP)
        data.time += STEP

    def _slide(self, contact: mujoco.MjContact) -> Array:
        """Return how the contact's second body moves against its first, shape (3, m)."""
        J = np.zeros((2, 3, self.model.nv))
        for side, geom in enumerate((contact.geom1, contact.geom2)):
            mujoco.mj_jac(self.model, self.data, J[side], None, contact.pos, self.model.geom_bodyid[geom])
        return J[1] - J[0]


def moved(
    bodies: str, steps: int, hard: bool, tilt: float = 0.0, push: float = 0.0, speed: float = 0.0
) -> tuple[mujoco.MjModel, mujoco.MjData, Hard | None, float]:
    """Return model, data, who stepped it (None: MuJoCo) and the median time of a step [s]."""
    model, data = scene(bodies, tilt, MARGIN if hard else 0.0)
    data.qfrc_applied[0], data.qvel[0] = push, speed
    stepper, seconds = Hard(model, data) if hard else None, []
    for _ in range(steps):
        begin = time.perf_counter()
        if stepper:
            stepper.step()
        else:
            mujoco.mj_step(model, data)
        seconds.append(time.perf_counter() - begin)
    return model, data, stepper, float(np.median(stepper.seconds if stepper else seconds))


def compared() -> list[Row]:
    """Return what each makes of the same scenes."""
    rows: list[Row] = []
    tilt, weight = np.arctan(0.9 * FRICTION), MASS * GRAVITY
    stack = "".join(box(HALF + 2.0 * HALF * k) for k in range(5))
    for name, hard in (("hard", True), ("soft", False)):
        _, data, _, _ = moved(box(HALF), 1000, hard, tilt=tilt)
        rows.append(
            Row(f"{name}: box on a slope at 0.9 of friction, creep in 1 s", 1e3 * data.qpos[0], None, "mm")
        )
        _, data, _, _ = moved(box(HALF), 1000, hard, push=0.9 * FRICTION * weight)
        rows.append(
            Row(f"{name}: box pushed with 0.9 of friction, creep in 1 s", 1e3 * data.qpos[0], None, "mm")
        )
        _, data, _, _ = moved(box(HALF), 600, hard, speed=1.0)
        way = data.qpos[0] - 0.5 / (FRICTION * GRAVITY)
        rows.append(Row(f"{name}: box at 1 m/s, way more than v^2 / (2 mu g)", 1e3 * way, None, "mm"))
        _, data, _, _ = moved(box(HALF + 0.1), 400, hard)
        rows.append(
            Row(f"{name}: box fallen from 0.1 m, depth after 0.4 s", 1e3 * (HALF - data.qpos[2]), None, "mm")
        )
        peak = max(moved(box(HALF + 0.1), k, hard)[1].qvel[2] for k in range(140, 220, 4))
        rows.append(Row(f"{name}: its fastest way up after it", 1e3 * peak, None, "mm/s"))
        for what, bodies in (("20 pins", pins()), ("5 boxes stacked", stack)):
            model, data, stepper, seconds = moved(bodies, 500, hard)
            depth = max((-contact.dist for contact in data.contact[: data.ncon]), default=0.0)
            rows.append(Row(f"{name}: {what}, contacts", data.ncon, None, ""))
            rows.append(Row(f"{name}: {what}, deepest after 0.5 s", 1e6 * depth, None, "um"))
            rows.append(
                Row(f"{name}: {what}, fastest coordinate then", 1e6 * np.abs(data.qvel).max(), None, "um/s")
            )
            rows.append(Row(f"{name}: {what}, a step, p50", 1e6 * seconds, None, "us"))
            if stepper:
                total = float(stepper.impulses[::3].sum()) / STEP
                rows.append(Row(f"{name}: {what}, steps unsolved of 500", stepper.unsolved, 0.0, ""))
                if what == "20 pins":
                    off = abs(total / (float(model.body_mass.sum()) * GRAVITY) - 1.0)
                    rows.append(Row(f"{name}: {what}, sum of forces off the weight", off, 1e-9, ""))
    return rows


def main() -> None:
    """Print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    use_kernel_cache()
    rows = compared()
    print_rows(rows)
    if options.json:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
