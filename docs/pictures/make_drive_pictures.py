"""Draw the pictures of the missions: the arm at some moments, and what it came to. Each drives its mission.

python -m docs.pictures.make_drive_pictures
"""

import argparse
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from PIL import Image

from hil.analysis.report.style import BLUE, GREEN, GREY, VERMILLION, drawn
from hil.common.arrays import Array
from hil.workbench.driving.around.satellite import Satellite
from hil.workbench.driving.around.surface import Surface
from hil.workbench.driving.inputs import source_of
from hil.workbench.driving.mission import load_mission, session_of
from hil.workbench.driving.rigid import halves, way
from hil.workbench.driving.session import DriveSession
from sim.assembly.database import load_database
from sim.assembly.picture import drawn as drawn_meshes
from sim.assembly.shapes import mesh_of
from sim.chain.kinematics import body_poses

HERE = Path(__file__).parent
MISSIONS = HERE.parents[1] / "configs" / "missions"
PIXELS = 460
COLOURS = 200
Rows = dict[str, list[Any]]


def scene(session: DriveSession) -> list[trimesh.Trimesh]:
    """Return the meshes of the arm, and of what is around its tip, in the world."""
    arm = session.arm
    poses = arm.T_world_base @ body_poses(arm.manipulator.chain, arm.q)
    meshes = [
        mesh_of(placed.body).apply_transform(pose @ placed.T_unit_body)
        for pose, unit in zip(poses[:-1], arm.manipulator.units, strict=True)
        for placed in unit
    ]
    around = session.surroundings
    if isinstance(around, Surface):
        plate = trimesh.creation.box(extents=(0.5, 0.3, 0.02))
        plate.apply_translation(around.point - 0.01 * around.normal)
        meshes.append(coloured(plate, (150, 170, 190)))
    elif isinstance(around, Satellite):
        grapple = around.T_body_grapple[:3, 3]
        body = coloured(trimesh.creation.box(extents=(0.8, 0.8, 0.8)), (205, 170, 80))
        bar = trimesh.creation.cylinder(radius=0.03, segment=[0.85 * grapple, grapple])
        panel = coloured(trimesh.creation.box(extents=(1.6, 0.03, 0.5)), (60, 80, 130))
        panels = [panel.copy().apply_translation((side * 1.25, 0.0, 0.0)) for side in (-1.0, 1.0)]
        held = (body, coloured(bar, (90, 90, 95)), *panels)
        meshes += [mesh.copy().apply_transform(around.T) for mesh in held]
    return meshes


def coloured(mesh: trimesh.Trimesh, colour: tuple[int, int, int]) -> trimesh.Trimesh:
    """Return a mesh with one colour on its faces."""
    faces = np.tile(np.array([*colour, 255], np.uint8), (len(mesh.faces), 1))
    mesh.visual = trimesh.visual.ColorVisuals(mesh, face_colors=faces)
    return mesh


def driven(name: str, moments: tuple[float, ...]) -> tuple[Rows, list[Array]]:
    """Drive a mission to its end; return its rows, and pictures at some moments [s]."""
    mission = load_mission(MISSIONS / f"{name}.toml", load_database())
    session = session_of(mission)
    source = source_of(mission.file.input, mission, session)
    session.take(source)
    begun, base = session.momentum(), session.arm.T_world_base
    end = mission.file.duration or getattr(source, "duration", 0.0) + 1.0
    rows: Rows = {key: [] for key in ("t", "error", "wrench", "base", "drift", "moved", "spin")}
    seen: list[Array] = []
    while session.t < end:
        if len(seen) < len(moments) and session.t >= moments[len(seen)]:
            seen.append(drawn_meshes(scene(session), PIXELS, PIXELS))
        session.step()
        arm, around = session.arm, session.surroundings
        rows["t"].append(session.t)
        rows["error"].append(1e3 * halves(way(arm.T_base_tip, session.follower.T))[0])
        rows["wrench"].append(session.wrench[:3])
        rows["base"].append(halves(arm.base_wrench))
        rows["drift"].append(np.abs(session.momentum() - begun).max())
        rows["moved"].append([1e3, 180.0 / np.pi] * np.array(halves(way(base, arm.T_world_base))))
        if isinstance(around, Satellite):
            spin = around.twist_at(around.T[:3, 3])[3:] - session.twist_world_base[3:]
            rows["spin"].append(np.degrees(np.linalg.norm(spin)))
    return rows, seen


def draw(name: str, moments: tuple[float, ...], panels: list[tuple[str, Callable[[Rows], Array]]]) -> None:
    """Write the picture of a mission: moments above, curves below."""
    rows, seen = driven(name, moments)
    t = np.array(rows["t"])
    with drawn(3.1 + 1.35 * len(panels)) as (figure, _, buffer):
        above, below = figure.subfigures(2, 1, height_ratios=[3.0, 1.35 * len(panels)])
        for axes, image, moment in zip(above.subplots(1, len(seen)), seen, moments, strict=True):
            axes.imshow(np.clip(image, 0.0, 1.0))
            axes.set_axis_off()
            axes.set_title(f"{moment:g} s")
        for axes, (label, of) in zip(
            np.atleast_1d(below.subplots(len(panels), 1, sharex=True)), panels, strict=True
        ):
            values = np.atleast_2d(of(rows).T).T
            for k, colour in zip(range(values.shape[1]), (BLUE, VERMILLION, GREEN), strict=False):
                axes.plot(t, values[:, k], color=colour, ls=("-", "--", ":")[k], lw=1.3)
            for moment in moments:
                axes.axvline(moment, color=GREY, lw=0.8, ls=":")
            axes.set(ylabel=label, xlim=(0.0, t[-1]))
        axes.set_xlabel("time [s]")
    picture = Image.open(io.BytesIO(buffer.getvalue())).convert("RGB")
    target = HERE / f"drive-{name}.png"
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
    print(target.name)


def column(key: str, part: slice | int | None = None) -> Callable[[Rows], Array]:
    """Return how to take a column, or a part of it, out of rows."""
    return lambda rows: np.array(rows[key]) if part is None else np.array(rows[key])[:, part]


DRAWN: dict[str, tuple[tuple[float, ...], list[tuple[str, Callable[[Rows], Array]]]]] = {
    "inspection": (
        (0.0, 5.5, 11.0),
        [
            ("tip off its\ncommand [mm]", column("error")),
            ("force on the\nstation [N]", column("base", 0)),
            ("moment [N m]", column("base", 1)),
        ],
    ),
    "capture": (
        (0.0, 6.3, 23.0),
        [
            ("turning against\nthe bus [deg/s]", column("spin")),
            ("force on the\ntip [N]", column("wrench")),
            ("bus moved\n[mm, deg]", column("moved")),
            ("momenta off\n[N s, N m s]", column("drift")),
        ],
    ),
    "contact": (
        (0.0, 3.8, 7.5),
        [("force on the\ntip [N]", column("wrench")), ("tip off its\ncommand [mm]", column("error"))],
    ),
}


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("missions", nargs="*", choices=[*DRAWN, []], default=[], metavar="MISSION")
    for name in parser.parse_args().missions or DRAWN:
        draw(name, *DRAWN[name])


if __name__ == "__main__":
    main()
