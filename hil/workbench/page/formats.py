"""The formats of exported models, as the page offers them; what they are lies in `sim/exports`."""

from typing import Any

WORDS = {
    "urdf": "for ROS, pinocchio and most other tools",
    "mjcf": "for MuJoCo, with actuators and sensors",
    "modelica": "component classes and their connections, with animation",
    "ik": "parameters of the inverse kinematics",
    "gltf": "for viewers, the joints animated",
    "x3d": "for viewers, a group for each link unit",
    "fmu": "co-simulation unit, FMI 2.0",
    "standalone": "a simulator that runs without the workbench; large, takes its time",
}
LARGE = ("standalone",)  # only where it is asked for


def formats_shown() -> list[dict[str, Any]]:
    """Return name, words, and whether it is usual, of each format."""
    return [{"name": name, "text": text, "usual": name not in LARGE} for name, text in WORDS.items()]
