"""`zerog disturb`: let something go wrong in the emulation of the running daemon, for training and tests."""

import argparse

from hil.commands.grammar import add_command, add_runtime_directory

TEXT = (
    "Let something go wrong in the emulation for a while: packets, drives, wrench, arm or controller. "
    "A new disturbance takes the place of the one before. Refused with a real robot."
)
EXAMPLE = "zerog disturb --loss 0.05 --delay-ms 20 --seconds 2"


def add_disturb(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "disturb", disturb, TEXT, EXAMPLE)
    sub.set_defaults(verb="disturb")
    sub.add_argument("--seconds", type=float, metavar="S", help="for how long; 1 if not said")
    sub.add_argument("--loss", type=float, metavar="SHARE", help="packets that vanish, 0 to 1")
    sub.add_argument("--duplicate", type=float, metavar="SHARE", help="packets that come twice, 0 to 1")
    sub.add_argument("--reorder-ms", type=float, metavar="MS", help="longest extra delay, drawn per packet")
    sub.add_argument("--delay-ms", type=float, metavar="MS", help="packets held so long come in bursts")
    sub.add_argument(
        "--direction", choices=("both", "to_driver", "from_driver"), help="packets meant; both if not said"
    )
    sub.add_argument("--silence", action="store_true", default=None, help="the controller sends nothing")
    sub.add_argument(
        "--quality", choices=("unacceptable", "bad", "ok"), help="the controller judges the link no better"
    )
    sub.add_argument("--drives-off", action="store_true", default=None, help="the drives go off")
    sub.add_argument(
        "--wrench",
        choices=(
            *("nan", "saturated", "stuck", "reversed"),
            *("silent", "idle", "latched", "lossy", "restarted"),
        ),
        help="what the wrench does; from silent on only an own force sensor ([sensor])",
    )
    sub.add_argument("--arm", choices=("stuck", "reversed"), help="the arm stands, or moves the other way")
    sub.add_argument("--astray-mrad", type=float, metavar="MRAD", help="every joint is commanded so far off")
    sub.add_argument("--drive-error", type=float, metavar="N", help="drive N, 1 to 7, is in error")
    sub.add_argument("--drive-warning", type=float, metavar="N", help="drive N, 1 to 7, warns")
    sub.add_argument(
        "--strategy",
        choices=("position", "joint_impedance", "cartesian_impedance", "other"),
        help="the controller's control strategy",
    )
    sub.add_argument("--clear", action="store_true", default=None, help="end what is wrong")
    add_runtime_directory(sub)


def disturb(options: argparse.Namespace) -> int:
    """Send what was said on the command line to the daemon, which checks it; return the exit status."""
    from hil.commands.operate import operate_daemon
    from hil.processes.supervisor.disturbing import ABSENT

    said = {name: getattr(options, name) for name in ABSENT}
    return operate_daemon(options, {name: value for name, value in said.items() if value is not None})
