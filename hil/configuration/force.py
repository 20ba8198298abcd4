"""How a measured force acts: as pushes that are detected, or continuously, as real contact must."""

from collections.abc import Iterable
from typing import Annotated, Literal

from hil.configuration.quantities import Quantity, Section

Compensation = Literal["none", "lead", "phase-lead", "model", "S", "passivity"]


class Force(Section):
    """What a measured force does to the object. In: driver."""

    mode: Literal["pushes", "contact", "hybrid"] = "pushes"
    """`pushes`: a change of the wrench is detected as a push and acts as an impulse; `contact`: a force above
    the gate acts for as long as it lasts; `hybrid`: a real spring's force, and a virtual one beside it."""
    compensation: Compensation = "S"
    """What takes out the energy that the loop's delay makes of a contact. `S`: identified contact,
    re-integration from the onset, lead; the others are there to compare with."""
    gate: Annotated[float, Quantity("n", ge=0.1, le=50.0)] = 2.0
    """Force less its bias from which a contact begins: above what the estimate errs by in motion."""
    noise_position: Annotated[float, Quantity("mm", gt=0.0, le=1.0)] = 5e-6
    """Standard deviation of the mock-up's measured position. In: driver."""
    drive_lag: Annotated[float, Quantity("ms", ge=0.0, le=200.0)] = 0.01
    """With which the arm's drives follow a ramp; the rest of the identified delay is dead time.
    `zerog calibrate timing` finds it."""
    drive_damping: Annotated[float, Quantity(gt=0.1, le=5.0)] = 0.8
    """Damping ratio of the drives. `zerog calibrate timing` finds it."""
    wrench_skew: Annotated[float, Quantity("ms", ge=0.0, le=20.0)] = 0.0
    """By which the measured wrench is older than the joints of the same packet. `zerog calibrate timing`
    finds it, or `zerog calibrate spring`."""
    energy_cap: bool = True
    """A contact gives back at most the energy that it took, and 0.5 %: what is beyond is the loop's own."""
    passive: bool = True
    """What is touched has no drive of its own, unless it is seen to have one, as a hand; `false`: the work
    that is measured is added to the cap from the beginning."""
    latched: bool = False
    """What is touched may pull as well, a latch for one."""
    port_speed: Annotated[float, Quantity("mm_s", ge=0.0, le=50.0)] = 0.0
    """That what is touched may have of its own before the touch, either way; 0: it stands, or is free."""
    gate_torque: Annotated[float | None, Quantity("n_m", gt=0.0, le=50.0)] = None
    """Torque less its bias from which a contact begins that gives no force, as a twist lock; absent: none
    does."""
    remember_contacts: bool = False
    """A contact at a place that was touched before is led into by what was found there, before it is felt."""
    device_stiffness: Annotated[float | None, Quantity("n_per_m", gt=0.0, le=1e7)] = None
    """Of the real spring in `hybrid`, port and device together, as a touch in mode `contact` tells it: what
    the target has more is virtual. It is identified anew in every contact."""
    target_stiffness: Annotated[float | None, Quantity("n_per_m", gt=0.0, le=1e7)] = None
    """Of the contact that is to be felt, in `hybrid`: what the real spring lacks is added."""
    target_restitution: Annotated[float | None, Quantity(gt=0.0, le=1.0)] = None
    """Speed after such a contact over the speed before; absent: the real spring's damping alone."""
    stop_force: Annotated[float, Quantity("n", gt=0.0, le=1000.0)] = 150.0
    """Contact force at which the arm brakes, whatever the scheme."""


IDENTIFYING = ("S", "model")  # compensations that know the contact
CONTINUOUS = "force acts continuously: what it gives the object is not what the delayed arm was given"


def force_faults(force: Force, beside: Iterable[str], load_known: bool = True) -> list[str]:
    """Return why a mode of the force may not run with the rest of a configuration.

    Args:
        force: the table.
        beside: names of the tables `scene`, `docking`, `network` and `admittance` that are given.
        load_known: what the arm's load data misses is, by `[mockup.found]`, or there is no real arm.
    """
    if force.mode == "pushes":
        return []
    faults = [
        f"force.mode = {force.mode!r} and {name} are both given: continuous force knows the stops alone"
        for name in beside
    ]
    if not load_known:
        faults.append(
            f"force.mode = {force.mode!r} with robot.kind = 'fri' needs [mockup.found]: what the load data "
            "misses would act as a force without end; find it in mode 'pushes' by `zerog calibrate load`"
        )
    if force.stop_force <= 3.0 * force.gate:
        faults.append(
            f"force.stop_force_n = {force.stop_force:g} must be above three times force.gate_n = "
            f"{force.gate:g}: any contact would stop the arm"
        )
    return faults + _hybrid_faults(force)


def _hybrid_faults(force: Force) -> list[str]:
    """Return why a contact cannot be half real and half virtual."""
    given = {
        "device_stiffness_n_per_m": force.device_stiffness,
        "target_stiffness_n_per_m": force.target_stiffness,
        "target_restitution": force.target_restitution,
    }
    if force.mode != "hybrid":
        return [
            f"force.{key} is given, and force.mode = {force.mode!r} has no virtual part: write "
            "mode 'hybrid', or take it out"
            for key, value in given.items()
            if value is not None
        ]
    faults = []
    if force.target_stiffness is None:
        faults.append("force.mode = 'hybrid' needs force.target_stiffness_n_per_m: the stiffness to be felt")
    if force.device_stiffness is None:
        faults.append(
            "force.mode = 'hybrid' needs force.device_stiffness_n_per_m: touch once in mode 'contact', and "
            "`zerog report` tells the stiffness of the real spring"
        )
    elif force.target_stiffness is not None and force.target_stiffness <= force.device_stiffness:
        faults.append(
            f"force.target_stiffness_n_per_m = {force.target_stiffness:g} must be above "
            f"force.device_stiffness_n_per_m = {force.device_stiffness:g}: a virtual spring makes a contact "
            "harder, never softer; take a softer device"
        )
    if force.compensation not in IDENTIFYING:
        faults.append(
            f"force.mode = 'hybrid' needs force.compensation 'S' or 'model', not {force.compensation!r}: "
            "what is virtual is added to an identified contact"
        )
    return faults
