"""Figures of parts that mate, each with its goal: contact equations, stiffness, laws, robot, experiments.

python -m bench.mating_figures [--json OUT]

Those of complementarity problems, impacts and stick and slip are in `python -m bench.complementarity`.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from bench.report import Row, print_rows, write_rows
from hil.common.arrays import Array
from hil.trials.mating.means import mean_of
from hil.trials.mating.result import MatingResult
from hil.trials.mating.running import run_named
from sim.chain.kinematics import tip_pose
from sim.insertion.elastic_robot import Servo, compliance, puma_robot
from sim.insertion.puma import RECTANGULAR_POSITION, ROUND_POSITION, puma
from sim.mating.snap_stiffness import PLATE_AS_PRINTED, beam, plate, plate_compliance
from sim.surfaces.rates import rates
from sim.surfaces.shape import normal_derivatives, normal_of, own_shape, shape_at
from sim.surfaces.surface import ELLIPSOID, TORUS, surface
from sim.surfaces.touching import equations, equations_by_x, touch
from sim.surfaces.tracking import nearest_touch

MM = 1e-3
ONE = np.eye(4)
EGG, RING = surface(ELLIPSOID, (0.3, 0.2, 0.15)), surface(TORUS, (0.5, 0.1))


def run(name: str, *settings: str) -> MatingResult:
    """Return a shipped experiment's outcome."""
    return run_named((name, settings))


def placed(t: float = 0.0) -> Array:
    """Return the ellipsoid's pose beside the torus along a motion."""
    T = np.eye(4)
    T[:3, 3] = 0.9 + 0.3 * t - 0.2 * t * t, 0.3 - 0.4 * t, 0.2 + 0.5 * t**3
    T[:3, :3] = Rotation.from_rotvec([0.3, -0.5 + 0.6 * t, 0.2]).as_matrix()
    return T


def slope(f: Callable[[float], Array], h: float = 1e-4) -> Array:
    """Return a central difference of fourth order."""
    return np.asarray((8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h))


def surfaces() -> list[Row]:
    """Return errors of Weingarten's formulae, the contact equations, and their rates."""
    worst = 0.0
    for patch in (EGG, RING):
        shape = own_shape(patch.kind, patch.size, 0.4, 0.7)
        by = normal_derivatives(shape, normal_of(shape, 1.0))
        for k, (du, dv) in enumerate(((1.0, 0.0), (0.0, 1.0))):

            def normal(h: float, p: Any = patch, du: float = du, dv: float = dv) -> Array:
                return normal_of(own_shape(p.kind, p.size, 0.4 + h * du, 0.7 + h * dv), 1.0)

            worst = max(worst, float(np.abs(slope(normal) - by[k]).max()))
    found = nearest_touch(EGG, placed(), RING, ONE)
    assert found is not None

    def f(x: Array) -> Array:
        s1 = shape_at(EGG, placed(), x[0], x[1])
        return equations(s1, normal_of(s1, 1.0), shape_at(RING, ONE, x[2], x[3]))

    s1, s2 = (
        shape_at(EGG, placed(), found.x[0], found.x[1]),
        shape_at(RING, ONE, found.x[2], found.x[3]),
    )
    J = equations_by_x(s1, normal_of(s1, 1.0), s2, normal_of(s2, 1.0))
    by_x = np.column_stack([slope(lambda h, e=e: f(found.x + h * e)) for e in np.eye(4)])
    rng = np.random.default_rng(3)
    ways = rng.standard_normal((50, 4))
    steps = [
        touch(EGG, placed(), RING, ONE, found.x + 0.05 * way / np.linalg.norm(way)).steps for way in ways
    ]
    return [
        Row("1 Weingarten's formulae, ellipsoid and torus, off differences", worst, 1e-8, "1/m"),
        Row(
            "1 derivative of the contact equations, off differences", float(np.abs(by_x - J).max()), 1e-6, ""
        ),
        Row("1 Newton's steps to the root from 0.05 rad off, at most of 50", max(steps), 6, ""),
        *_rates(found.x, found.gap),
    ]


def _rates(x: Array, gap: float) -> list[Row]:
    def turning(t: float) -> Array:
        W = slope(lambda s: placed(t + s)[:3, :3]) @ placed(t)[:3, :3].T
        return np.array([W[2, 1], W[0, 2], W[1, 0]])

    begin = np.array([-0.4, 0.0, 0.0])
    motion = np.array([slope(lambda h: placed(h)[:3, 3]), turning(0.0), begin, slope(turning, 1e-3)])
    is_ = rates(EGG, placed(), RING, ONE, x, motion)
    off = slope(lambda h: touch(EGG, placed(h), RING, ONE, x).x) - is_.x

    def second(h: float) -> float:
        gaps = [touch(EGG, placed(k * h), RING, ONE, x).gap for k in (-2, -1, 1, 2)]
        return (-gaps[0] + 16.0 * gaps[1] - 30.0 * gap + 16.0 * gaps[2] - gaps[3]) / (12.0 * h * h)

    bent = abs(second(3e-3) / is_.gap_rate - 1.0)
    return [
        Row("2 rates of the contact's parameters, off differences", float(np.abs(off).max()), 1e-7, ""),
        Row("2 second derivative of the gap, off differences", bent, 1e-6, "of it"),
    ]


def stiffness() -> list[Row]:
    """Return the supports' matrices beside the printed ones."""
    K = beam(40 * MM, (5 * MM, 2.7 * MM), (20 * MM, 20 * MM), 2700e6)
    told = ((K[2, 2] / 1e3, 45.5448), (abs(K[2, 4]), 638.810), (K[4, 4] * 1e3, 14285.417))
    size, at = (32 * MM, 66 * MM), (27 * MM, 48 * MM)
    fine = plate_compliance(size, 3 * MM, 2700e6, 0.3, at, (16, 16))
    coarse = plate(size, 3 * MM, 2700e6, 0.3, at, (1, 3), 4)[2:5, 2:5]
    off = np.abs(np.diag(coarse) / np.diag(PLATE_AS_PRINTED) - 1.0).max()
    signs = float((np.sign(coarse) != np.sign(PLATE_AS_PRINTED)).sum())
    return [
        *(Row(f"3 beam, {goal:g}: off by", abs(is_ / goal - 1.0), 1e-6, "of it") for is_, goal in told),
        Row("3 beam, asymmetry", float(np.abs(K - K.T).max()), 1e-9, ""),
        Row("4 plate, converged C11 off 0.01909 mm/N", 100.0 * abs(fine[0, 0] / 1.909e-5 - 1.0), 0.5, "%"),
        Row("4 plate, printed diagonal off, on the coarse grid", 100.0 * float(off), 5.0, "%"),
        Row("4 plate, couplings of another sign than printed", signs, 0.0, ""),
    ]


def laws() -> list[Row]:
    """Return the O-ring's and the hook's curves beside the study's."""
    ring, tight = run("o-ring").features, run("o-ring", "groove_mm=20.6").features
    inside = run("o-ring", "eccentricity_mm=0.05")
    row = inside.phases.index("hole")
    across = abs(inside.series["side_y_n"][row]) + abs(inside.series["moment_x_n_m"][row])
    hook = run("snap-beam", "sample_mm=0.0025")
    phases, force, side = np.array(hook.phases), hook.series["force_n"], hook.series["side_z_n"]
    flat = np.isin(phases, ["corner1", "corner2"])
    up = phases == "ramp1"
    slopes = np.tan(math.radians(30.0) - hook.series["turned_y_rad"][up] + math.atan(0.2))
    ratio = float(np.abs(force[up] / side[up] - slopes).max())
    f = hook.features
    order = f["phases"] == ["ramp1", "corner1", "corner2", "ramp2", "free"]
    return [
        Row("5 O-ring, peak over plateau, off 1.216", abs(ring["peak_over_plateau"] - 1.216), 0.01, ""),
        Row("5 O-ring, plateau off 90.7", abs(ring["plateau_n"] - 90.7), 0.1, "N"),
        Row("5 O-ring, peak at", ring["peak_at_mm"], 0.0, "mm"),
        Row("5 O-ring, force across the offset, and moment", float(across), 1e-9, "N, N m"),
        Row("5 O-ring, groove 20.6, exit off -33.9", abs(tight["exit_min_n"] + 33.9), 1.0, "N"),
        Row("5 O-ring, exit of the shipped groove", ring["exit_min_n"], 0.0, "N", least=True),
        Row("6 beam snap, phases in order", float(order), 1.0, "", least=True),
        Row("6 beam snap, ramp's ratio off tan(slope and friction)", ratio, 1e-9, ""),
        Row(
            "6 beam snap, flat's ratio off mu", float(np.abs(force[flat] / side[flat] - 0.2).max()), 1e-9, ""
        ),
        Row("6 beam snap, maximum off 40.5", abs(f["max_n"] - 40.5), 0.3, "N"),
        Row("6 beam snap, its place off 4.88", abs(f["max_at_mm"] - 4.88), 0.03, "mm"),
        Row("6 beam snap, minimum off -18.1", abs(f["min_n"] + 18.1), 0.5, "N"),
    ]


def robot() -> list[Row]:
    """Return how the PUMA stands and gives way at both published positions."""
    rows = []
    for name, q in (("rectangular", RECTANGULAR_POSITION), ("round", ROUND_POSITION)):
        servo = Servo((10.0, 10.0, 10.0, 25.0, 25.0, 25.0), 0.7)
        arm = puma_robot(q, 0.3, 3.0, 0.15, np.array([6e4, 6e4, 2e4]), 0.04, servo)
        c, s = math.cos(q[0]), math.sin(q[0])
        axes = np.array([[-c, -s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])  # outwards, aside, up
        C = axes @ compliance(arm, q) @ axes.T
        tool = math.degrees(math.acos(min(1.0, -tip_pose(puma(0.3, 3.0, 0.15), q)[2, 2])))
        rows += [
            Row(f"9 PUMA, {name} position, tool off the vertical", tool, 0.3, "deg"),
            Row("  outwards by an upward force over upwards", C[0, 2] / C[2, 2], 0.5, "", least=True),
            Row("  the same", C[0, 2] / C[2, 2], 2.0, ""),
            Row("  aside by an upward force over upwards", abs(C[1, 2] / C[2, 2]), 1e-9, ""),
        ]
    return rows


def pegs() -> list[Row]:
    """Return the round and the rectangular peg's figures."""
    round_ = run("round-peg")
    r, names = round_.features, ("cylinder1-torus2", "torus1-cylinder2")
    loads = [mean_of(round_.series[f"{name}_n"], 5e-4) for name in names]
    two = np.minimum(*loads) > 1.0
    drag = float((round_.series["force_mean_n"][two] / (loads[0] + loads[1])[two]).max())
    order = r["phases"] == ["torus1-torus2", "cylinder1-torus2", "torus1-cylinder2"]
    plane = max(abs((a + 90.0) % 180.0 - 90.0) for a in r["azimuth_deg"])
    plus, minus = (run("rectangular-peg", "offset_z_mm=0", f"offset_y_mm={y}") for y in (4, -4))
    apart = np.abs(plus.series["force_n"] - minus.series["force_n"]).max() / plus.series["force_n"].max()
    share = plus.features["plateau_n"] / plus.features["side_plateau_n"]
    easy, steps = run("rectangular-peg", "offset_z_mm=4").features, (2.0, 1.0, 0.5)
    outwards = [run("rectangular-peg", "turn_deg=175.4", f"offset_z_mm={z}").features for z in (4, -4)]
    swapped = outwards[0]["late_max_n"] / outwards[1]["late_max_n"]
    hard = [run("rectangular-peg", f"step_ms={h}").features for h in steps]
    late = hard[1]["late_max_n"] / easy["late_max_n"]
    deep = [each["phase_begins_mm"].get("d-4'", math.nan) for each in hard]
    return [
        Row("8 round peg, first contact off 2.52", abs(r["first_contact_mm"] - 2.52), 0.05, "mm"),
        Row("8 round peg, phases in order", float(order), 1.0, "", least=True),
        Row("8 round peg, points off the arm's plane at the end", plane, 15.0, "deg"),
        Row("8 round peg, mating force over its two contacts' and mu", drag / 0.1, 1.1, ""),
        Row("8 round peg, penetration", r["penetration_um"], 5.0, "um"),
        Row("10 rectangular, dy = 4 and -4, off their mirror", float(apart), 1e-6, "of it"),
        Row("10 rectangular, dy, entry's peak (study: 107.0)", plus.features["max_n"], None, "N"),
        Row("10 rectangular, dy, plateau (study: 9.00)", plus.features["plateau_n"], None, "N"),
        Row("10 rectangular, dy, side force (study: 87.4)", plus.features["side_plateau_n"], None, "N"),
        Row("10 rectangular, plateau over side force, off mu", 100.0 * abs(share / 0.1 - 1.0), 15.0, "%"),
        Row("10 rectangular, late maxima of dz -4 over 4", late, 3.0, "", least=True),
        Row("10 rectangular, z outwards, those of dz 4 over -4", swapped, 3.0, "", least=True),
        Row("10 rectangular, d-4' at", deep[1], None, "mm"),
        Row("10 rectangular, d-4' with steps of 2, 1, 0.5 ms, apart", max(deep) - min(deep), 0.1, "mm"),
        Row("10 rectangular, d-4' with dz = 4", float("d-4'" in easy["phases"]), 0.0, ""),
    ]


def combined() -> list[Row]:
    """Return the combined assembly's figures."""
    f = run("combined").features
    dips = [abs(f[f"dip_after_force_max_{where}_ms"]) for where in ("far", "near")]
    forces = f["force_max_far_n"] / f["force_max_near_n"]
    return [
        Row("11 combined, overshoot far over near", f["overshoot_far_over_near"], 2.0, "", least=True),
        Row("11 combined, dip from the force's maximum", max(dips), 30.0, "ms"),
        Row("11 combined, forces apart", 100.0 * abs(forces - 1.0), 2.0, "%"),
        Row("11 combined, impact lasts", max(f["impact_far_ms"], f["impact_near_ms"]), 40.0, "ms"),
    ]


def main() -> int:
    """Print all figures, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()
    rows = [*surfaces(), *stiffness(), *laws(), *robot(), *pegs(), *combined()]
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)
    return 0 if all(row.reached in (True, None) for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
