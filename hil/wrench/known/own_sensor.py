"""The verdict on a known force in words for a force sensor of its own: other keys than the robot's."""

from collections.abc import Sequence
from dataclasses import replace

from hil.wrench.known.verdict import Finding

SIZE = "check the force, sensor.force_counts_per_n and mockup.mass_kg"
MOMENT = "check sensor.position_mm, sensor.rotvec_deg and sensor.torque_counts_per_n_m"


def of_own_sensor(found: Sequence[Finding], sign: int) -> list[Finding]:
    """Return findings with the remedies of `[sensor]`, whose `sign` is given."""
    remedies = {
        "sign": f"reversed: set sensor.sign = {-sign}",
        "frame": "looks like other axes: check sensor.rotvec_deg",
    }
    told = []
    for finding in found:
        text = finding.text
        if not finding.right:
            text = remedies.get(finding.topic, text)
        if not finding.right and finding.topic in ("magnitude", "moment"):
            text = f"{text.rpartition(': ')[0]}: {SIZE if finding.topic == 'magnitude' else MOMENT}"
        told.append(replace(finding, text=text))
    return told
