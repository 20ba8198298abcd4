"""The columns of an experiment's tables, one table each: names with units, and what they mean.

`results.csv` has one row a trial, `pushes.csv` one a push, `bounces.csv` one a bounce, `contacts.csv` one a
contact under continuous force; a cell is one value.
"""

AXES = ("x", "y", "z")

IDENTITY = {
    "trial": "name of its folder",
    "name": "of the trial in the plan",
    "repeat": "from 1 on",
    "seed": "of all random parts",
    "mode": "`fast` or `live`",
    "status": "`done`, `fault` (the machine came to FAULT), `no push` (nobody did in time), `refused` (its "
    "compensation must diverge at its port: it was not run) or `failed`",
    "problem": "what went wrong, in words",
    "duration_s": "floated",
}
RESULTS = {
    "pushes": "true pushes",
    "pushes_detected": "of them, those with an impulse",
    "pushes_missed": "and those without",
    "impulses_false": "impulses without a push",
    "impulse_error_median": "of the pushes",
    "impulse_error_p95": "of the pushes",
    "velocity_error_sim_median": "of the free pushes",
    "velocity_error_sim_p95": "of the free pushes",
    "velocity_error_arm_median": "of the free pushes",
    "velocity_error_arm_p95": "of the free pushes",
    "velocity_overshoot_p95": "of the free pushes",
    "reaction_median_ms": "of the free pushes",
    "stray_median_mm": "of the pushes with a free second behind them",
    "bounces": "of the simulated body, in which nothing but a stop or a wall acts on it",
    "restitution_median": "of the bounces, as simulated",
    "restitution_arm_median": "of the bounces, the arm's",
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
    "faults": "times that the machine came to FAULT",
    "contacts": "that ended, under continuous force; where force acts as pushes this and the next are empty",
    "contacts_open": "that were open when floating ended",
    "contact_restitution_error_worst": "of the contacts, the one of largest size",
    "contact_beyond_ideal_worst": "of the contacts, the largest",
    "contact_created_worst": "of the contacts, the largest",
    "contact_peak_error_worst": "of the contacts, the one of largest size",
    "contact_time_error_worst": "of the contacts, the one of largest size",
    "contact_peak_force_n": "the largest",
    "not_measured": "what the recording does not tell, and why",
    "wall_time_s": "that the trial took; the only column that differs from run to run with `--fast`",
}
# what a push does not have leaves its cell empty: of the velocities all but the free ones'
PUSHES = {
    "trial": "name of its folder",
    "push": "from 1 on, in the order of the pushes; where no true ones are known, of the impulses",
    "impulse_true_{axis}_n_s": "true impulse, world axes",
    "impulse_true_r{axis}_n_m_s": "its moment about the centre of mass",
    "impulse_detected_{axis}_n_s": "as detected",
    "impulse_detected_r{axis}_n_m_s": "as detected",
    "impulse_error": "norm of the difference over that of the true impulse",
    "velocity_before_{axis}_mm_s": "the arm's just before the push",
    "velocity_before_ideal_{axis}_mm_s": "the ideal body's at the same instant",
    "velocity_after_{axis}_mm_s": "the arm's 0.3 s after the push",
    "velocity_after_ideal_{axis}_mm_s": "the ideal body's",
    "spin_before_{axis}_deg_s": "as velocity_before",
    "spin_before_ideal_{axis}_deg_s": "",
    "spin_after_{axis}_deg_s": "",
    "spin_after_ideal_{axis}_deg_s": "",
    "velocity_error_sim": "`velocity_error.sim` of the push",
    "velocity_error_arm": "`velocity_error.arm` of the push",
    "velocity_overshoot": "`velocity_overshoot` of the push",
    "reaction_ms": "by how much the arm's velocity is later than the ideal body's",
    "stray_mm": "how far the arm is from the ideal body 1 s after the push, if that second is free",
}
BOUNCES = {
    "trial": "name of its folder",
    "bounce": "from 1 on",
    "restitution": "speed away from the obstacle over the speed towards it, as simulated",
    "restitution_arm": "the arm's, 0.12 s before and after; empty if more is near",
}
CONTACTS = {
    "trial": "name of its folder",
    "contact": "from 1 on",
    "contact_ended": "1, or 0 of one that was open when floating ended",
    "contact_felt_s": "from the first to the last force above the gate",
    "contact_approach_mm_s": "speed along the line of the force before it",
    "contact_restitution": "speed after over the speed before, along the line",
    "contact_restitution_set": "that was set, in `hybrid`",
    "contact_restitution_ideal": "as it should have been",
    "contact_ideal_of": "`target` of `hybrid`, emulated `port`, or what was `identified`",
    "contact_restitution_error": "restitution less the ideal one",
    "contact_beyond_ideal": "energy along the line after it beyond the ideal one's, over that before it",
    "contact_created": "energy by the part of the force that the identified contact does not explain, over "
    "the object's before it",
    "contact_peak_n": "greatest real force",
    "contact_peak_error": "of it, against the ideal one's",
    "contact_time_error": "of the time felt, against the ideal one's",
    "contact_depth_mm": "of the simulated object beyond the touch, where one spring explains it",
    "contact_stiffness_n_per_m": "identified; empty where the compensation knows none",
    "contact_stiffness_within_n_per_m": "half its interval of 95 %, by noise alone",
    "contact_damping_n_s_per_m": "identified",
    "contact_damping_within_n_s_per_m": "half its interval of 95 %",
    "contact_port_mass_kg": "identified; empty where it stands",
}
MEANINGS = IDENTITY | RESULTS


def columns(swept: list[str]) -> list[str]:
    """Return the heads of `results.csv`; the swept keys of the configuration stand behind the identity."""
    return [*IDENTITY, *swept, *RESULTS]


def expanded(names: dict[str, str]) -> list[str]:
    """Return the columns of a table, of names with `{axis}` one for each axis."""
    return [name.format(axis=axis) for name in names for axis in (AXES if "{axis}" in name else AXES[:1])]
