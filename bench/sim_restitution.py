"""Restitution and friction as they come out at a scene wall, against what was configured.

A cube is thrown at the floor of the shipped room, flat or on a corner, and the normal velocity of the
touching corners is compared before and after. The peer is MuJoCo's own contact solver with the same
contacts, a one-step impact law as reference and an adaptive friction reference.

    python -m bench.sim_restitution [--trials N] [--json OUT.json]
"""

import argparse
import json
from pathlib import Path

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.configuration import Configuration, load_configuration
from hil.configuration.schema import Scene, Stops
from sim.world.free_joint import qvel_from_twist, twist_from_qvel
from sim.world.world import World

CONFIGS = Path(__file__).parent.parent / "configs"
ROOM = CONFIGS / "scenes" / "room.xml"
FLOOR = -0.4  # [m] height of the room's floor
HALF_EDGE = 0.15  # [m]
STEP_NS = 1_000_000
RESTITUTIONS = (0.2, 0.5, 0.8, 0.95, 1.0)
CORNERS = HALF_EDGE * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def configuration(restitution: float, friction: float) -> Configuration:
    """Return the default run without stops, in the shipped room."""
    base = load_configuration(CONFIGS / "cube.toml")
    scene = Scene(file=ROOM, restitution=restitution, friction=friction)
    return base.model_copy(update={"stops": Stops(enabled=False), "scene": scene})


def throw(kind: str, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Return position, quaternion and twist of a cube a few millimetres above the floor."""
    v = np.array([rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), rng.uniform(-0.12, -0.03)])
    spin = rng.uniform(-0.3, 0.3, 3)
    if kind == "face":
        spin[:2] = 0.0  # about the floor's normal only, or the face would not stay flat
        quat = quat_from_rotvec(np.array([0.0, 0.0, rng.uniform(0.0, 3.0)]))
    else:
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
    lowest = (CORNERS @ matrix_from_quat(quat).T)[:, 2].min()
    p = np.array([0.8, 0.0, FLOOR - lowest + rng.uniform(0.002, 0.003)])
    return p, quat, np.concatenate([v, spin])


def corner_ratios(p: Array, quat: Array, before: Array, after: Array) -> list[float]:
    """Return the ratio of normal velocities, after to before, of all corners that touch the floor."""
    levers = CORNERS @ matrix_from_quat(quat).T
    touching = levers[p[2] + levers[:, 2] < FLOOR]
    normal_before = before[2] + np.cross(before[3:], touching)[:, 2]
    normal_after = after[2] + np.cross(after[3:], touching)[:, 2]
    hit = normal_before < -1e-3
    return (-normal_after[hit] / normal_before[hit]).tolist()


def world_ratios(world: World, kind: str, rng: np.random.Generator) -> list[float]:
    """Return the restitution at every corner of the first hit of one throw."""
    p, quat, twist = throw(kind, rng)
    world.restart(0, 1, p, quat, twist)
    before = world.state(0)
    for n in range(1, 1000):
        world.advance(n * STEP_NS)
        now = world.state(n * STEP_NS)
        if np.abs(now.twist_world_object - before.twist_world_object).max() > 1e-5:
            return corner_ratios(
                now.p_world_object, now.quat_world_object, before.twist_world_object, now.twist_world_object
            )
        before = now
    raise RuntimeError("the cube never hit the floor")


class MujocoSolver:
    """The peer: MuJoCo's contact solver, frictional contacts, one-step impact reference."""

    def __init__(self, restitution: float, friction: float) -> None:
        self.restitution, self.friction = restitution, friction
        self.model = mujoco.MjModel.from_xml_path(str(ROOM))
        self.model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        self.model.opt.iterations, self.model.opt.tolerance = 200, 1e-14
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND
        self.data = mujoco.MjData(self.model)
        self.dt = self.model.opt.timestep
        self.number = self.model.body("object").id

    def ratios(self, kind: str, rng: np.random.Generator) -> list[float]:
        """Return the restitution at every corner of the first hit of one throw."""
        model, data = self.model, self.data
        p, quat, twist = throw(kind, rng)
        while True:
            data.qpos[:3], data.qpos[3:] = p, quat
            data.qvel[:] = qvel_from_twist(twist, quat)
            mujoco.mj_fwdKinematics(model, data)
            mujoco.mj_makeM(model, data)
            mujoco.mj_factorM(model, data)
            mujoco.mj_collision(model, data)
            if data.ncon and data.contact.dist.min() < 0.0:
                break
            mujoco.mj_integratePos(model, data.qpos, data.qvel, self.dt)
            p, quat = data.qpos[:3].copy(), data.qpos[3:].copy()
        for contact in data.contact:
            self._set_reference(contact, p, twist)
        mujoco.mj_makeConstraint(model, data)
        mujoco.mj_projectConstraint(model, data)
        mujoco.mj_referenceConstraint(model, data)
        mujoco.mj_fwdConstraint(model, data)
        after = twist_from_qvel(data.qvel + self.dt * data.qacc, quat)
        return corner_ratios(p, quat, twist, after)

    def _set_reference(self, contact: mujoco.MjContact, p: Array, twist: Array) -> None:
        mass, inertia = self.model.body_mass[self.number], self.model.body_inertia[self.number][0]
        normal = contact.frame[:3]
        outward = 1.0 if contact.geom[1] == self.model.geom("cube").id else -1.0
        lever = contact.pos - p
        point = twist[:3] + np.cross(twist[3:], lever)
        speed = outward * float(normal @ point)
        slide = point - (normal @ point) * normal
        size = float(np.linalg.norm(slide))
        contact.solimp[:] = (0.9999, 0.9999, 0.001, 0.5, 2)
        damping = (1.0 + self.restitution) / self.dt
        contact.solref[:] = (-1e-9, -damping)
        if self.friction == 0.0:
            contact.dim = 1
            return
        contact.friction[:2] = self.friction
        turn, roll = np.cross(lever, normal), np.cross(lever, slide / max(size, 1e-12))
        pressing = max(0.0, -damping * speed) / (1 / mass + turn @ turn / inertia)
        braking = self.friction * pressing * (1 / mass + roll @ roll / inertia) / max(size, 1e-12)
        contact.solreffriction[:] = (0.0, -min(braking, 1.0 / self.dt))


def main() -> None:
    """Print the restitution of every kind of throw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--trials", type=int, default=60, help="throws a row")
    parser.add_argument("--json", type=Path, help="write the table here")
    arguments = parser.parse_args()
    print(f"{'e*':>5} {'friction':>8} {'hit':>7} {'mean e':>8} {'worst |e-e*|':>13} {'MuJoCo solver':>14}")
    rows = []
    for friction in (0.0, 0.3):
        for restitution in RESTITUTIONS:
            world = World(configuration(restitution, friction))
            peer = MujocoSolver(restitution, friction)
            for kind in ("face", "corner"):
                rng = np.random.default_rng(1)
                ours = np.concatenate([world_ratios(world, kind, rng) for _ in range(arguments.trials)])
                rng = np.random.default_rng(1)
                theirs = np.concatenate([peer.ratios(kind, rng) for _ in range(arguments.trials)])
                row = {
                    "restitution": restitution,
                    "friction": friction,
                    "hit": kind,
                    "mean": float(ours.mean()),
                    "worst_error": float(np.abs(ours - restitution).max()),
                    "mujoco_worst_error": float(np.abs(theirs - restitution).max()),
                }
                rows.append(row)
                print(
                    f"{restitution:5.2f} {friction:8.1f} {kind:>7} {row['mean']:8.4f} "
                    f"{row['worst_error']:13.6f} {row['mujoco_worst_error']:14.4f}",
                    flush=True,
                )
    worst = max(float(row["worst_error"]) for row in rows)
    print(f"worst of all: {worst:.6f} (goal 0.01)")
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows, "worst_error": worst}, indent=1) + "\n")


if __name__ == "__main__":
    main()
