"""`zerog run --paced`: the lock-step loop at the wall clock's pace, for machines that cannot do real time."""

import argparse
from pathlib import Path

from hil.commands.foxglove import foxglove_port
from hil.common.errors import ConfigurationError


def add_paced(sub: argparse.ArgumentParser) -> None:
    """Let `zerog run` take the option."""
    text = "in one process, slower where the machine is: for machines that cannot do real time"
    sub.add_argument("--paced", action="store_true", help=f"{text} (docs/use/paced.md)")


def run_paced(options: argparse.Namespace, settings: list[str], dashboard: int | None) -> int:
    """Run a configuration of an emulated robot until it is over or interrupted; return the exit status.

    Args:
        options: of `zerog run`.
        settings: lines KEY=VALUE that stand in for the file's.
        dashboard: the port of the operator's page, if there is to be one.

    Raises:
        ConfigurationError: a real robot, a run on two hosts, or viewers of their own.
    """
    from hil.commands.run import sound_configuration
    from hil.dashboard.run_token import run_token
    from hil.messaging.page_access import address_of, may_listen
    from hil.processes.paced.run import PacedRun
    from hil.processes.replayed import replay_in_words, replayed_wrench
    from hil.recording.lockstep_file import lockstep_recorder

    path: Path = options.configuration
    if options.only is not None:
        raise ConfigurationError(f"--only {options.only} is refused with --paced, which is one process")
    if foxglove_port(options) is not None:
        raise ConfigurationError("--foxglove is refused with --paced: look at such a run with --dashboard")
    accepted = sound_configuration(path, settings)
    c = accepted.configuration
    if c.robot.kind != "emulated":
        raise ConfigurationError(
            f"{path}: robot.kind = 'fri' is refused with --paced: a real robot does not wait; run it without"
        )
    if c.base.kind != "none" and c.base.vehicle == "outside":
        raise ConfigurationError(
            f"{path}: base.vehicle = 'outside' is refused with --paced: an outside program does not wait; "
            "run it without"
        )
    replay = None if options.replay is None else replayed_wrench(options.replay)
    if options.replay is not None:
        print("\n".join(replay_in_words(options.replay)))
    hint = ""
    if dashboard is not None:
        may_listen(dashboard)
        hint = f"dashboard: {address_of(dashboard, run_token(c.run))}"
    recorder = None
    if options.record is not None:
        told = {"wrench": "" if options.replay is None else options.replay.name}
        told |= {} if options.duration is None else {"duration_s": repr(options.duration)}
        recorder = lockstep_recorder(options.record, c, accepted.text, settings, **told)
    run = PacedRun(accepted, path, settings, options.duration, replay, recorder, dashboard, hint)
    return run.run()
