"""The columns of `results.csv`, one table: names with units, and what they mean."""

AXES = ("x", "y", "z")

IDENTITY = {
    "trial": "name of its folder",
    "name": "of the trial in the plan",
    "repeat": "from 1 on",
    "seed": "of all random parts",
    "mode": "`fast` or `live`",
    "status": "`done`, `fault` (the machine came to FAULT), `no push` (nobody did in time) or `failed`",
    "problem": "what went wrong, in words",
    "duration_s": "floated",
}
# a list has one value a push in their order, joined by `;`; a push without the value leaves its place empty
PUSHES = {
    "pushes": "true pushes",
    "pushes_detected": "of them, those with an impulse",
    "pushes_missed": "and those without",
    "impulses_false": "impulses without a push",
    "impulse_true_{axis}_n_s": "list: true impulse, world axes",
    "impulse_true_r{axis}_n_m_s": "list: its moment about the centre of mass",
    "impulse_detected_{axis}_n_s": "list: as detected",
    "impulse_detected_r{axis}_n_m_s": "list",
    "impulse_error": "list: norm of the difference over that of the true impulse",
    "impulse_error_median": "",
    "impulse_error_p95": "",
}
VELOCITIES = {
    "velocity_before_{axis}_mm_s": "list: the arm's just before the push; free pushes only",
    "velocity_before_ideal_{axis}_mm_s": "list: the ideal body's at the same instant",
    "velocity_after_{axis}_mm_s": "list: the arm's 0.3 s after the push",
    "velocity_after_ideal_{axis}_mm_s": "list: the ideal body's",
    "spin_before_{axis}_deg_s": "list: as velocity_before",
    "spin_before_ideal_{axis}_deg_s": "list",
    "spin_after_{axis}_deg_s": "list",
    "spin_after_ideal_{axis}_deg_s": "list",
    "velocity_error_sim": "list: `velocity_error.sim` of each push",
    "velocity_error_sim_median": "",
    "velocity_error_sim_p95": "",
    "velocity_error_arm": "list: `velocity_error.arm` of each push",
    "velocity_error_arm_median": "",
    "velocity_error_arm_p95": "",
    "velocity_overshoot": "list",
    "velocity_overshoot_p95": "",
    "reaction_ms": "list: by how much the arm's velocity is later than the ideal body's",
    "reaction_median_ms": "",
    "stray_mm": "list: how far the arm is from the ideal body 1 s after the push; if that second is free",
    "stray_median_mm": "",
}
MOTION = {
    "bounces": "of the simulated body, in which nothing but a stop or a wall acts on it",
    "restitution": "list by bounces: speed away from the obstacle over the speed towards it, as simulated",
    "restitution_median": "",
    "restitution_arm": "list by bounces: the arm's, 0.12 s before and after; empty if more is near",
    "restitution_arm_median": "",
    "tracking_free_rms_mm": "`tracking.free_rms_mm`",
    "tracking_free_rms_deg": "`tracking.free_rms_deg`",
    "tracking_bounce_max_mm": "`tracking.bounce_max_mm`",
    "time_kept": "`plan.time_kept`",
    "holds": "`plan.holds`",
    "branch_changes": "`plan.configuration_changes`",
    "changed_plans": "`plan.changed_plans`",
    "max_speed_ratio": "`plan.max_speed_ratio`",
    "limit_violations": "`limits.violations`",
    "coasting_energy": "`coasting.energy_median`",
    "residual_acceleration_mm_s2": "`residual_acceleration.median_mm_s2`",
    "drift_mm": "`coasting.drift_mm`",
    "energy_drift": "`energy_drift`",
    "momentum_drift": "`momentum_drift`",
    "not_measured": "what the recording does not tell, and why",
    "wall_time_s": "that the trial took; the only column that differs from run to run with `--fast`",
}
MEANINGS = IDENTITY | PUSHES | VELOCITIES | MOTION


def columns(swept: list[str]) -> list[str]:
    """Return the heads of `results.csv`; the swept keys of the configuration stand behind the identity."""
    pieces = [[*IDENTITY], swept, [*PUSHES], [*VELOCITIES], [*MOTION]]
    return [column for piece in pieces for name in piece for column in expanded(name)]


def expanded(name: str) -> list[str]:
    """Return the columns that a name with `{axis}` stands for."""
    return [name.format(axis=axis) for axis in AXES] if "{axis}" in name else [name]
