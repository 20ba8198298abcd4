"""From the simulated body to the arm's commands."""

from typing import Annotated, Literal

from pydantic import Field

from hil.configuration.quantities import Quantity, Section


class Simulation(Section):
    """The world's grid, memory and foresight. In: sim."""

    step: Annotated[float, Quantity("ms", gt=0.0, le=5.0)] = 0.001
    """Grid of the simulation: contacts and impulses act at its points."""
    history: Annotated[float, Quantity("s", ge=0.5, le=10.0)] = 1.0
    """How far back it can be rewound for an impulse that is told late."""
    period: Annotated[float, Quantity("ms", ge=1.0, le=20.0)] = 0.005
    """Between two published states."""
    prediction: Annotated[float, Quantity("s", ge=0.2, le=5.0)] = 2.0
    """How far ahead the path is predicted; at least `planner.horizon_s`."""
    prediction_step: Annotated[float, Quantity("ms", ge=5.0, le=50.0)] = 0.02
    """Between two points of the predicted path. In: sim, planner."""
    prediction_rate: Annotated[float, Quantity("hz", ge=5.0, le=100.0)] = 25.0
    """Predictions a second, and so plans."""


class Planner(Section):
    """From the predicted path of the object to one of the joints. In: planner."""

    inverse: Literal["branches", "passive-chain", "lagrange"] = "branches"
    """`branches`: the best of all arm angles and branches over the whole path, for arms like the LWR; the
    others take any chain, step by step (docs/understand/inverse.md). In: planner, zerog workspace."""
    knot: Annotated[float, Quantity("ms", ge=40.0, le=500.0)] = 0.1
    """Between two stages of the choice of branches."""
    horizon: Annotated[float, Quantity("s", ge=0.2, le=5.0)] = 2.0
    """How far ahead joints are planned; at most `simulation.prediction_s`."""
    arm_angles: int = Field(default=72, ge=8, le=360)
    """Arm angles that are tried all round."""
    speed_fraction: Annotated[float, Quantity(gt=0.1, le=1.0)] = 0.9
    """Share of the joint speeds that plans use. In: planner, zerog workspace."""
    limit_margin: Annotated[float, Quantity("deg", ge=0.0, le=30.0)] = 0.0349065850
    """By which plans stay inside the joint limits."""
    committed: Annotated[float, Quantity("s", ge=0.0, le=2.0)] = 0.5
    """Of the last plan that the next one keeps."""


class Interpolation(Section):
    """How the driver follows a plan. In: driver."""

    lead: Literal["identified", "fixed", "none"] = "identified"
    """By which commands run ahead of the interface's delay: found in motion, fixed, or not at all."""
    lead_time: Annotated[float, Quantity("ms", ge=0.0, le=10_000.0)] = 0.012
    """The fixed lead, or where the identification begins."""
    closing_rate: Annotated[float, Quantity(gt=0.0, le=20.0)] = 5.0
    """Rate in 1/s at which the gap between arm and plan is closed."""
    closing_overshoot: Annotated[float, Quantity(gt=0.0, le=1.0)] = 0.15
    """Closing rate times the interface's delay is at most this."""
    plan_timeout: Annotated[float, Quantity("ms", ge=50.0, le=2000.0)] = 0.3
    """A plan older than this is not followed: the arm brakes."""
    short_cut: bool = True
    """The driver adds a fresh push to the plan before planner and simulation have answered it."""
    push_lead: Annotated[float, Quantity("ms", ge=0.0, le=10.0)] = 0.008
    """By which the short cut leads a push that still grows."""
