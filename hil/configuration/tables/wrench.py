"""From the wrench to pushes, and bringing the arm to its start."""

from typing import Annotated, Literal

from hil.configuration.quantities import Quantity, Section


class Filter(Section):
    """The exponential low-pass of the wrench. In: driver."""

    tau: Annotated[float, Quantity("ms", ge=1.0, le=100.0)] = 0.007
    """Its time constant: a shorter one sees pushes sooner and more noise."""
    length: Annotated[float, Quantity("mm", gt=0.0, le=5000.0)] = 0.2
    """Torques are divided by it where forces and torques are compared."""


class Detector(Section):
    """When a change of the wrench is a push, and what the push is worth (docs/theory.md, section 4).

    In: driver, zerog detect.
    """

    noise_force: Annotated[float, Quantity("n", gt=0.0)] = 0.06
    """Standard deviation of a force axis at rest."""
    noise_torque: Annotated[float, Quantity("n_m", gt=0.0)] = 0.012
    """Standard deviation of a torque axis at rest."""
    start_sigma: Annotated[float, Quantity(ge=3.0, le=50.0)] = 7.0
    """Standard deviations that a change must pass to start a push."""
    onset_sigma: Annotated[float, Quantity(ge=1.0, le=50.0)] = 4.0
    """Standard deviations below which a sample lies before the push's start."""
    floor: Annotated[float, Quantity("n_per_s", ge=0.0)] = 240.0
    """Least derivative that starts a push, against the noise of motion."""
    confirm_time: Annotated[float, Quantity("ms", ge=5.0, le=500.0)] = 0.04
    """Within it the filtered level must confirm a push, or it is taken back."""
    baseline_time: Annotated[float, Quantity("ms", ge=5.0, le=2000.0)] = 0.12
    """Time constant of the running mean from which a push is counted."""
    baseline_delay: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.01
    """Before the onset by which that mean is taken."""
    end_fraction: Annotated[float, Quantity(gt=0.0, lt=1.0)] = 0.15
    """Share of the peak below which a flat wrench ends a push."""
    level_floor: Annotated[float, Quantity("n", ge=0.0)] = 1.2
    """Least slow change of force that starts a push, against drift."""
    level_time: Annotated[float, Quantity("ms", ge=5.0, le=500.0)] = 0.03
    """Time constant of the low-pass of that change."""
    level_delay: Annotated[float, Quantity("ms", ge=10.0, le=1000.0)] = 0.12
    """Time over which that change is taken."""
    close_time: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.03
    """A push that rises again within it is still the same."""
    settle_time: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.25
    """Samples after a push that still tell of its baseline; 0: none."""
    echo_fraction: Annotated[float, Quantity(ge=0.0, le=2.0)] = 0.3
    """Counter-swing of the arm that is allowed after a push, share of its peak."""
    echo_period: Annotated[float, Quantity("ms", ge=10.0, le=2000.0)] = 0.125
    """Period of that counter-swing."""
    echo_decay: Annotated[float, Quantity("ms", gt=0.0, le=2000.0)] = 0.15
    """Time constant with which it dies away."""
    echo_time: Annotated[float, Quantity("ms", ge=0.0, le=2000.0)] = 0.4
    """How long after a push it is reckoned with."""
    slice_time: Annotated[float, Quantity("ms", ge=20.0, le=500.0)] = 0.1
    """Longest slice in which a growing push is reported."""
    sustained_time: Annotated[float, Quantity("ms", ge=100.0, le=5000.0)] = 0.5
    """A push that lasts longer is marked as sustained."""
    report: Literal["growing", "ended"] = "growing"
    """`growing`: slices as the push grows; `ended`: one impulse when it is over."""
    plausible_force: Annotated[float, Quantity("n", gt=0.0)] = 250.0
    """No hand pushes harder for long: beyond it the arm brakes (a sensor at its end, a collision, a wrong
    load). docs/use/commissioning.md says how to choose it."""
    plausible_torque: Annotated[float, Quantity("n_m", gt=0.0)] = 100.0
    """The same for the torque about the tcp."""
    plausible_time: Annotated[float, Quantity("ms", ge=1.0, le=1000.0)] = 0.02
    """How long either must be exceeded."""


class Approach(Section):
    """How an operator brings the arm to its start pose by holding on (`zerog approach`). In: daemon."""

    contact_force: Annotated[float, Quantity("n", ge=5.0, le=50.0)] = 12.0
    """Change of the wrench, torques divided by the filter's length, at which the arm brakes: above what the
    estimate wanders and trembles by in motion, below what hurts. In: driver."""
    # more than moves between two looks at the way, and less than the 12 mm that the LWR's wrist, taken as
    # thick as its thickest link, has from a cube on its flange
    clearance: Annotated[float, Quantity("mm", ge=5.0, le=500.0)] = 0.005
    """Least distance between mock-up and arm, mount and floor."""
    floor_depth: Annotated[float, Quantity("mm", ge=0.0, le=5000.0)] = 0.3
    """Of the floor below the base."""
    mount_radius: Annotated[float, Quantity("mm", ge=66.0, le=2000.0)] = 0.15
    """Of the mount between base and floor."""
