"""The pushes that a live loop of our own is measured with."""

SPARE = 5  # pushes beyond those asked for, so that the trial does not run dry
GAP_S, SPREAD_S, FIRST_S = 2.2, 0.4, 1.5  # between pushes, at random beyond, and before the first
STRICT = "emulator.patient = false"  # what a busy machine costs is what is measured


def trial_settings(pushes: int) -> list[str]:
    """Return what a trial of pushes changes in a configuration of an emulated robot.

    Single pushes of 30 to 200 ms in any direction, each from a slow motion in the middle of the stops, as
    in `configs/pushes.toml`.
    """
    random = (
        f"{{count = {pushes + SPARE}, first_s = {FIRST_S}, gap_s = {GAP_S}, gap_spread_s = {SPREAD_S}, "
        "impulse_min_n_s = 0.3, impulse_max_n_s = 5.0, duration_min_ms = 30.0, duration_max_ms = 200.0, "
        "peak_n = 60.0, lever_mm = 100.0, steer = false}"
    )
    return [
        f"operator.random = {random}",
        "experiments = {after_s = 0.9, max_speed_mm_s = 40.0, max_spin_deg_s = 5.7}",
    ]
