"""The metrics of the fidelity certificate that have a tolerance of their own: one row each."""

from hil.analysis.report import evidence as e
from hil.analysis.report.metric import (
    Metric,
    at_most,
    energy_tolerance,
    largest,
    median,
    momentum_tolerance,
    p95,
    reaction_tolerance,
    root_mean_square,
    total,
    with_noise,
)

FORCE = ("force", "impulses", "cycles")
PUSHED = ("force", "ideal", "arm", "simulation", "cycles")
FELT = ("force", "ideal", "arm", "simulation", "cycles")
FOLLOWED = ("arm", "motion", "simulation", "cycles")
WORLD = ("simulation", "impulses")
RIGID = (*WORLD, "ideal")
NO_FREE_PUSH = "there was no push with free flight around it"
NO_FLIGHT = "there was no free flight: 2 s after floating began, 1 s after a push, without contact"
ALWAYS = ""

PUSHES = "hil/analysis/figures/impulses.py: match_impulses"
VELOCITY = "hil/analysis/figures/velocity.py: velocity_errors"
TRACKING = "hil/analysis/figures/tracking.py: tracking_errors"
PLANS = "hil/analysis/figures/plans.py: "
VELOCITY_HOW = (
    "Velocity 0.3 s after a push less that of an ideal body under the true force, over the true change of "
    "velocity"
)

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("missed_impulses", "Missed pushes", "", at_most(0.0), e.missed, total, FORCE, ALWAYS,
               "Pushes without a detected impulse whose onset lies within 20 ms before and 30 ms after them.",
               PUSHES),
        Metric("false_impulses", "False impulses", "", at_most(0.0), e.false, total, FORCE, ALWAYS,
               "Detected impulses that belong to no push.", PUSHES),
        Metric("velocity_error_sim_median", "Velocity error of the simulation, median", "%",
               with_noise(1.5, 2.5), e.sim_velocity_errors, median, PUSHED, NO_FREE_PUSH,
               f"{VELOCITY_HOW}; as simulated.", VELOCITY),
        Metric("velocity_error_sim_p95", "Velocity error of the simulation, 95th percentile", "%",
               with_noise(3.5, 6.0), e.sim_velocity_errors, p95, PUSHED, NO_FREE_PUSH,
               "The same; 95 of 100 pushes are better.", VELOCITY),
        Metric("velocity_error_arm_median", "Velocity error of the arm, median", "%", with_noise(2.0, 3.0),
               e.arm_velocity_errors, median, FELT, NO_FREE_PUSH,
               f"{VELOCITY_HOW}; as the arm held the mock-up.", VELOCITY),
        Metric("velocity_error_arm_p95", "Velocity error of the arm, 95th percentile", "%",
               with_noise(5.0, 7.5), e.arm_velocity_errors, p95, FELT, NO_FREE_PUSH,
               "The same; 95 of 100 pushes are better.", VELOCITY),
        Metric("overshoot_p95", "Velocity overshoot, 95th percentile", "%", at_most(10.0),
               e.overshoots_percent, p95, FELT, NO_FREE_PUSH,
               "Largest excess of the arm's velocity over the new one along the true change, over it.",
               "hil/analysis/figures/velocity.py: overshoots"),
        Metric("reaction", "Reaction, median", "ms", reaction_tolerance, e.reactions_ms, median, FELT,
               NO_FREE_PUSH,
               "Time by which the arm's velocity follows the ideal body's; may be as long as the interface "
               "delay that was set and 18 ms.", "hil/analysis/figures/velocity.py: reactions"),
        Metric("tracking_free", "Arm against simulation, free flight", "mm rms", at_most(0.5),
               e.free_distances, root_mean_square, FOLLOWED, NO_FLIGHT,
               "Distance between where the arm held the object and where the simulation had it.", TRACKING),
        Metric("tracking_free_angle", "Arm against simulation, attitude", "deg rms", at_most(0.05),
               e.free_angles, root_mean_square, FOLLOWED, NO_FLIGHT, "The angle between the two.", TRACKING),
        Metric("tracking_bounce", "Arm against simulation, bounces", "mm", at_most(4.0), e.bounce_distances,
               largest, FOLLOWED, "there was no bounce in undisturbed flight",
               "The largest distance during a contact and 0.2 s after it.", TRACKING),
        Metric("restitution_error", "Error of restitution, largest", "", at_most(0.01), e.RESTITUTION,
               largest, RIGID, "there was no undisturbed bounce",
               "Speed after over speed before each contact of the simulated body, less what is configured "
               "(stops: 1).", "hil/analysis/figures/bounces.py: restitution_errors"),
        Metric("energy_drift", "Drift of energy", "", energy_tolerance, e.energy_drift, largest, WORLD,
               "walls take energy, or nothing flew undisturbed",
               "Largest relative change of the simulated kinetic energy between pushes, across bounces.",
               "hil/analysis/figures/conservation.py: drifts"),
        Metric("momentum_drift", "Drift of angular momentum", "", momentum_tolerance, e.momentum_drift,
               largest, WORLD, "nothing turned undisturbed",
               "Largest relative change of the simulated angular momentum between pushes and contacts.",
               "hil/analysis/figures/conservation.py: drifts"),
        Metric("residual_acceleration", "Residual acceleration, largest", "mm/s²", at_most(1.0),
               e.accelerations, largest, (*FOLLOWED, "ideal"), f"{NO_FLIGHT}, for at least 1 s",
               "Acceleration of a parabola fitted to the arm's positions in each stretch of at least 1 s "
               "without bounce or push (1 mm/s² is 0.0001 g).",
               "hil/analysis/figures/residual_acceleration.py: residual_accelerations"),
        Metric("branch_changes", "Changes of the arm's configuration", "", at_most(0.0), e.BRANCHES, total,
               ("cycles",), ALWAYS, "Changes of sign of A2, A4 or A6 while afloat.",
               PLANS + "configuration_changes"),
        Metric("changed_plans", "Plans that changed their mind", "", at_most(0.0), e.MINDS, total,
               ("plans", "cycles"), ALWAYS,
               "Plans that differ from the one before though they know of no further push.",
               PLANS + "changed_plans"),
        Metric("holds", "Holds", "", at_most(0.0), e.HOLDS, total, ("simulation", "cycles"), ALWAYS,
               "How often object time came to a stand while afloat, whoever asked for it.", PLANS + "holds"),
        Metric("limit_violations", "Commands outside any limit", "", at_most(0.0), e.limit_violations, total,
               ("cycles",), ALWAYS,
               "Position, velocity, acceleration and jerk of every command, by divided differences.",
               "hil/analysis/figures/limits.py: violations"),
        Metric("joint_speed", "Joint speed over its limit, largest", "", at_most(0.9), e.speed_ratios,
               largest, ("cycles",), "the arm was never commanded", "By differences of successive commands.",
               "hil/analysis/figures/limits.py: speed_ratio"),
    )
}  # fmt: skip
