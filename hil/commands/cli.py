"""`zerog`: one program for running, simulating, operating and looking at things."""

import argparse
import errno
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from hil.commands.address_space import look_at_address_space
from hil.commands.approach import add_approach
from hil.commands.assemble import add_assemble
from hil.commands.calibrate import add_calibrate
from hil.commands.check import add_check
from hil.commands.check_wrench import add_check_wrench
from hil.commands.contact_map import add_contact_map
from hil.commands.design import add_design
from hil.commands.disturb import add_disturb
from hil.commands.dock import add_dock
from hil.commands.doctor.command import add_doctor
from hil.commands.drive import add_drive
from hil.commands.emulate import add_emulate
from hil.commands.exhausted import exhausted
from hil.commands.experiment import add_experiment
from hil.commands.first_use import FirstUse
from hil.commands.foxglove import add_foxglove, foxglove_port
from hil.commands.grammar import (
    add_command,
    add_configuration,
    add_runtime_directory,
    add_settings,
    positive_float,
    tcp_port,
)
from hil.commands.import_wrench import add_import
from hil.commands.keys import add_keys
from hil.commands.latency import add_latency
from hil.commands.mate import add_mate
from hil.commands.outputs import Kind, add_output, look_at_outputs
from hil.commands.overview import Top
from hil.commands.paced import add_paced, run_paced
from hil.commands.partner import add_partner
from hil.commands.recording import add_recording
from hil.commands.replay import add_replay
from hil.commands.report import add_report
from hil.commands.share import add_share
from hil.commands.show import add_show
from hil.commands.soak import add_soak
from hil.commands.urdf import add_urdf
from hil.commands.validate import add_validate
from hil.commands.version import Version
from hil.commands.workbench import add_workbench
from hil.common.errors import ConfigurationError, SimulationError, ZeroGError
from hil.common.kernel_cache import stands_in
from hil.common.standard_streams import forget_output, open_standard_streams, replace_what_cannot_be_shown

EXIT_NEGATIVE, EXIT_USER_ERROR = 1, 2
PORT = 8080  # of the dashboard
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # where the output goes
EXIT_INTERRUPTED = 130  # as a shell says it of Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status: 0 well, 1 a negative verdict, 2 a user's mistake."""
    open_standard_streams()
    replace_what_cannot_be_shown()
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.WARNING)
    options = parser().parse_args(arguments)
    if told := stands_in():
        print(f"zerog: {told}", file=sys.stderr)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        look_at_address_space(options.name)
        look_at_outputs(options)
        with FirstUse(options.name) if arguments is None else nullcontext():
            status = command(options)
        sys.stdout.flush()  # what cannot be written shows here, not in a traceback at the end
        return status
    except ZeroGError as error:
        print(f"zerog: {error}", file=sys.stderr)
        return EXIT_NEGATIVE if isinstance(error, SimulationError) else EXIT_USER_ERROR
    except BrokenPipeError:  # the reader of our output has gone, for example `head`
        forget_output()
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:  # of what is used up there is no end
        if limit := exhausted(error):
            print(f"zerog: {limit}", file=sys.stderr)
            return EXIT_USER_ERROR
        if not isinstance(error, OSError) or (error.filename is None and error.errno not in FULL):
            raise
        if error.filename is None:
            forget_output()
        print(f"zerog: {error.filename or 'the output cannot be written'}: {error.strerror}", file=sys.stderr)
        return EXIT_USER_ERROR


def parser() -> argparse.ArgumentParser:
    """Return the command line's grammar."""
    top = Top(prog="zerog", description="Make a robot arm move a mock-up as if it floated in micro-gravity.")
    top.add_argument("--version", action=Version, nargs=0, help="say which version this is, and end")
    commands = top.add_subparsers(required=True, metavar="COMMAND", parser_class=argparse.ArgumentParser)
    _add_run(commands)
    _add_simulate(commands)
    _add_operator(commands)
    add_approach(commands)
    add_experiment(commands)
    add_design(commands)
    add_latency(commands)
    add_dock(commands)
    add_share(commands)
    add_drive(commands)
    add_check_wrench(commands)
    add_calibrate(commands)
    add_disturb(commands)
    add_emulate(commands)
    add_partner(commands)
    add_soak(commands)
    add_keys(commands)
    add_recording(commands)
    add_replay(commands)
    add_show(commands)
    add_report(commands)
    add_validate(commands)
    add_mate(commands)
    add_import(commands)
    _add_detect(commands)
    _add_workspace(commands)
    add_check(commands)
    add_contact_map(commands)
    add_urdf(commands)
    add_doctor(commands)
    add_assemble(commands)
    add_workbench(commands)
    return top


def _add_run_options(sub: argparse.ArgumentParser) -> None:
    add_configuration(sub)
    sub.add_argument("--duration", type=positive_float, metavar="S", help="end after so long a floating")
    sub.add_argument("--seed", type=int, metavar="N", help="seed of all random parts instead of the file's")
    add_settings(sub)
    sub.add_argument(
        "--replay",
        type=Path,
        metavar="WRENCH.csv",
        help="a recorded wrench acts on the mock-up instead of pushes",
    )
    text = "write everything down; Foxglove opens it as it is"
    add_output(sub, sub, "--record", kind=Kind.NEW_FILE, metavar="FILE.mcap", text=text)


def settings_of(options: argparse.Namespace) -> list[str]:
    """Return all values given instead of the file's, the seed's among them."""
    return options.set + ([] if options.seed is None else [f"run.seed={options.seed}"])


def _add_run(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    def run(options: argparse.Namespace) -> int:
        if options.paced:
            return run_paced(options, settings_of(options), _dashboard_port(options))
        from hil.commands.run import run_live

        return run_live(
            options.configuration,
            settings_of(options),
            options.duration,
            options.replay,
            options.only,
            options.record,
            _dashboard_port(options),
            foxglove_port(options),
        )

    sub = add_command(
        commands,
        "run",
        run,
        "Let a mock-up float, live: on the emulated arm, or on a real one.",
        "zerog run configs/cube.toml --duration 20 --dashboard",
    )
    _add_run_options(sub)
    add_paced(sub)
    sub.add_argument("--dashboard", action="store_true", help="serve the operator's page on this machine")
    sub.add_argument("--port", type=tcp_port, metavar="N", help=f"of the dashboard (default {PORT})")
    add_foxglove(sub)
    sub.add_argument(
        "--only",
        metavar="PARTS",
        help="this host's parts of a run on two hosts: driver, or sim,planner (docs/use/network.md)",
    )


def _dashboard_port(options: argparse.Namespace) -> int | None:
    if options.port is not None and not options.dashboard:
        raise ConfigurationError(f"--port {options.port} is the dashboard's: add --dashboard")
    return (options.port or PORT) if options.dashboard else None


def _add_simulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    def simulate(options: argparse.Namespace) -> int:
        from hil.commands.simulate import simulate_run

        return simulate_run(
            options.configuration,
            settings_of(options),
            options.duration,
            options.replay,
            options.trace,
            options.json,
            options.record,
        )

    sub = add_command(
        commands,
        "simulate",
        simulate,
        "Run the same loop in lock-step on virtual time, without a robot, and measure its fidelity.",
        "zerog simulate configs/pushes.toml --duration 60 --json figures.json",
    )
    _add_run_options(sub)
    text = "write the run's arrays (docs/understand/trace.md)"
    add_output(sub, sub, "--trace", metavar="OUT.npz", text=text)
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures of fidelity")


def _add_operator(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    def operate(options: argparse.Namespace) -> int:
        from hil.commands.operate import operate_daemon

        return operate_daemon(options)

    texts = {
        "float": "Let the object float: from READY anew, from HOLDING on.",
        "hold": "Bring object time to a stand.",
        "reset": "Leave FAULT or an operator's stop; never moves the arm.",
        "stop": "Brake the arm and stand.",
        "reload": "Start the processes with the changed configuration; refused while the arm may move.",
    }
    for verb, text in texts.items():
        sub = add_command(commands, verb, operate, text, f"zerog {verb}")
        sub.set_defaults(verb=verb)
        add_runtime_directory(sub)
        if verb == "float":
            _add_vector(sub, "--velocity-mm-s", "begin with this velocity, world axes; from READY only")
            _add_vector(sub, "--spin-deg-s", "and with this angular velocity, world axes")
    tune = add_command(
        commands,
        "thresholds",
        operate,
        "Change what the wrench must pass to be a push, until the run ends; without values: nothing.",
        "zerog thresholds --floor-n-per-s 300",
    )
    tune.set_defaults(verb="thresholds")
    tune.add_argument("--start-sigma", type=float, metavar="S", help="times the derivative's noise")
    tune.add_argument("--floor-n-per-s", type=float, metavar="F", help="least derivative")
    tune.add_argument("--level-floor-n", type=float, metavar="L", help="least slow change of force")
    add_runtime_directory(tune)
    status = add_command(commands, "status", operate, "Say how the running daemon is.", "zerog status --json")
    status.set_defaults(verb="status")
    status.add_argument("--json", action="store_true", help="for machines")
    add_runtime_directory(status)
    push = add_command(
        commands,
        "push",
        operate,
        "Push the emulated mock-up with a half-sine force.",
        "zerog push --force-n 30 0 0 --duration-ms 100",
    )
    push.set_defaults(verb="push")
    _add_vector(push, "--force-n", "peak force, world axes", required=True)
    push.add_argument("--duration-ms", type=positive_float, required=True, metavar="D")
    _add_vector(push, "--at-mm", "point, object axes")
    add_runtime_directory(push)


def _add_vector(sub: argparse.ArgumentParser, name: str, text: str, required: bool = False) -> None:
    sub.add_argument(name, type=float, nargs=3, required=required, metavar=("X", "Y", "Z"), help=text)


def _add_detect(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    def run_detect(options: argparse.Namespace) -> int:
        from hil.wrench.recorded.detection import detect

        detect(
            options.recording,
            json_out=options.json,
            learn_s=options.learn_s,
            learn_file=options.learn,
            plot=options.plot,
            rate_hz=options.rate_hz,
        )
        return 0

    sub = add_command(
        commands,
        "detect",
        run_detect,
        "Find the pushes in a recorded wrench.",
        "zerog detect recording.csv --learn-s 0.5 --json impulses.json --plot impulses.png",
    )
    text = "table, MCAP, ROS bag, or a folder of `zerog export --csv` (docs/use/import.md)"
    sub.add_argument("recording", type=Path, metavar="RECORDING", help=text)
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the impulses")
    learn = sub.add_mutually_exclusive_group()
    learn.add_argument(
        "--learn-s",
        type=positive_float,
        metavar="SECONDS_OF_QUIET_START",
        help="learn the noise from the start",
    )
    learn.add_argument("--learn", type=Path, metavar="IDLE", help="learn the noise from another recording")
    add_output(sub, sub, "--plot", kind=Kind.PICTURE, metavar="OUT.png", text="draw forces and impulses")
    sub.add_argument(
        "--rate-hz", type=positive_float, metavar="HZ", help="for recordings without a time column"
    )


def _add_workspace(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    def workspace(options: argparse.Namespace) -> int:
        from hil.commands.workspace import certify_workspace

        return certify_workspace(options.configuration, options.plot)

    sub = add_command(
        commands,
        "workspace",
        workspace,
        "Certify the stops of a configuration: no change of the arm's configuration within them.",
        "zerog workspace configs/cube.toml --plot workspace.png",
    )
    add_configuration(sub)
    add_output(sub, sub, "--plot", kind=Kind.PICTURE, metavar="OUT.png", text="draw the set")


if __name__ == "__main__":
    sys.exit(main())
