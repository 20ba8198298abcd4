"""A pinocchio model of Timor's modules, from the numbers in their JSON alone: no component is in between."""

from typing import Any

import numpy as np
import pinocchio as pin

HALF_TURN = np.diag([1.0, -1.0, -1.0, 1.0])  # connectors that are joined look at one another


def pin_model(modules: list[dict[str, Any]]) -> tuple[pin.Model, pin.SE3]:
    """The arm of these modules, in this order, and its tip in its last joint's frame.

    A module is joined by its female connector to the male one of the module before; its first module stands
    on the ground with its own female one. Rotors' inertia, by the ratio's square, is the joints' armature.
    """
    model = pin.Model()
    joint, T, armature = 0, HALF_TURN, []  # where the last connector is, in the present joint's frame
    for module in modules:
        connectors = {
            c["gender"]: (b["ID"], np.array(c["pose"])) for b in module["bodies"] for c in b["connectors"]
        }
        here, inlet = connectors["f"]
        T = (
            T @ HALF_TURN @ np.linalg.inv(inlet)
            if joint or module is not modules[0]
            else T @ np.linalg.inv(inlet)
        )
        bodies = {b["ID"]: b for b in module["bodies"]}
        left = list(module["joints"])
        while True:
            body = bodies[here]
            inertia = pin.Inertia(
                body["mass"], np.array(body["r_com"], float), np.array(body["inertia"], float)
            )
            model.appendBodyToJoint(joint, inertia, pin.SE3(T))
            if here == connectors["m"][0] and not left:
                break
            found = next(j for j in left if j["parent"] == here)
            left.remove(found)
            kind = pin.JointModelRZ() if found["type"] == "revolute" else pin.JointModelPZ()
            placement = pin.SE3(T @ np.array(found["poseParent"]))
            joint = model.addJoint(joint, kind, placement, found["ID"] + str(joint))
            armature.append(found["motorInertia"] * found["gearRatio"] ** 2)
            T, here = np.array(found["poseChild"], float), found["child"]
        T = T @ connectors["m"][1]
    model.armature = np.array(armature)
    return model, pin.SE3(T)
