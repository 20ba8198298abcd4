"""Which tests have the machine for themselves, and which files begin first where others run side by side."""

# Live runs, and whatever else judges what a busy machine changes: a file, or how names of files begin.
ALONE = (
    "tests/drivers/emulation/test_emulator_process.py",
    "tests/drivers/emulation/test_patient_process.py",
    "tests/hil/dashboard/test_calibrate_button.py",
    "tests/hil/dashboard/test_dashboard_",
    "tests/hil/dashboard/test_hold_button.py",
    "tests/hil/dashboard/test_paced_page.py",
    "tests/hil/dashboard/test_state_words.py",
    "tests/hil/messaging/test_bus.py",
    "tests/hil/messaging/test_sockets.py",
    "tests/hil/processes/bridge/test_bridge.py",
    "tests/hil/processes/bridge/test_two_hosts.py",
    "tests/hil/processes/paced/test_paced_run.py",
    "tests/hil/processes/test_first_start.py",
    "tests/hil/processes/test_foxglove.py",
    "tests/hil/processes/test_fri_run.py",
    "tests/hil/processes/test_hazards_",
    "tests/hil/processes/test_live_",
    "tests/hil/processes/test_patient_live.py",
    "tests/hil/processes/test_python_daemon.py",
    "tests/hil/processes/test_real_time.py",
    "tests/hil/processes/test_service.py",
    "tests/hil/recording/test_recording_live.py",
    "tests/hil/trials/experiment/test_cluster.py",
    "tests/hil/trials/experiment/test_live.py",
    "tests/hil/trials/validation/tool/test_live.py",
    "tests/hil/wrench/test_check_wrench_live.py",
    "tests/sim/contact/test_manifold_speed.py",
)

# A file is done by one worker from its beginning to its end: one of a minute that begins last is waited for.
# The first two compile the most, each what the other does not need; the way of a new user finds all compiled.
LONG = (
    "tests/hil/trials/mating/test_robot_pegs.py",
    "tests/sim/contact/test_contact_scene.py",
    "tests/hil/loop/test_any_arm.py",
    "tests/hil/loop/test_docking_loop.py",
    "tests/sim/world/test_contact_world.py",
    "tests/hil/loop/test_lockstep.py",
    "tests/test_first_hour.py",
    "tests/hil/trials/soak/test_soak.py",
    "tests/test_notebooks.py",
    "tests/test_examples.py",
    "tests/hil/workbench/test_workbench_browser.py",
)


def turn(path: str) -> int:
    """Return when the tests of a file begin: the long ones in their order, then all others."""
    return LONG.index(path) if path in LONG else len(LONG)
