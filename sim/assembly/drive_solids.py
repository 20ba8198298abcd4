"""What drive parts look like: plain solids of their mass, for pictures; their files have no shapes."""

import math

import numpy as np
import trimesh

from sim.assembly.component_schema import ComponentFile
from sim.assembly.shapes import AROUND

DENSITY = 5000.0  # kg/m3 of copper, iron and aluminium together
LEAST = 0.02  # kg; a part without a mass of its own is drawn as small as this
# of each kind: colour, and rings: inner radius, outer radius, from, to, in parts of the outer radius
LOOKS = {
    "motor": ((184, 115, 51), ((0.55, 0.88, -0.3, 0.3), (0.88, 1.0, -0.42, 0.42))),
    "gear": ((150, 155, 165), ((0.3, 1.0, -0.35, -0.1), (0.62, 0.7, -0.1, 0.7), (0.0, 0.45, -0.3, 0.15))),
    "brake": ((60, 62, 68), ((0.35, 1.0, -0.3, 0.1), (0.35, 0.85, 0.15, 0.3))),
    "torque_sensor": (
        (64, 107, 173),
        ((0.78, 1.0, -0.12, 0.12), (0.3, 0.5, -0.12, 0.12), (0.5, 0.78, -0.04, 0.04)),
    ),
}


def drive_mesh(component: ComponentFile) -> trimesh.Trimesh:
    """Return a motor, gear, brake or torque sensor as a mesh about its axis z [m]."""
    part = component.motor or component.gear or component.brake or component.torque_sensor
    assert part is not None  # a rule of components
    colour, rings = LOOKS[component.kind]
    share = sum(math.pi * (outer**2 - inner**2) * (to - begin) for inner, outer, begin, to in rings)
    radius = (max(part.mass, LEAST) / (DENSITY * share)) ** (1.0 / 3.0)
    meshes = []
    for inner, outer, begin, to in rings:
        length = (to - begin) * radius
        ring = (
            trimesh.creation.annulus(inner * radius, outer * radius, length, sections=AROUND)
            if inner
            else trimesh.creation.cylinder(radius=outer * radius, height=length, sections=AROUND)
        )
        ring.apply_translation([0.0, 0.0, 0.5 * (begin + to) * radius])
        faces = np.tile(np.array([*colour, 255], np.uint8), (len(ring.faces), 1))
        ring.visual = trimesh.visual.ColorVisuals(ring, face_colors=faces)
        meshes.append(ring)
    whole = trimesh.util.concatenate(meshes)
    assert isinstance(whole, trimesh.Trimesh)
    return whole
