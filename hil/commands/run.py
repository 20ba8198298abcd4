"""`zerog run`: the live emulator."""

import sys
from functools import partial
from pathlib import Path

from drivers.robot.urdf_for_physics import notes_of
from hil.analysis.diverging import must_diverge
from hil.commands.foxglove import foxglove_hint
from hil.commands.unbounded import unbounded
from hil.common.errors import ConfigurationError
from hil.configuration.loading import Accepted, accept
from hil.dashboard.run_token import run_token
from hil.loop.mockup_shape import shape_of
from hil.messaging.page_access import FOXGLOVE_OPTION, address_of, may_listen
from hil.processes.bridge.keys import load_keys
from hil.processes.bridge.sites import COMPUTE, site_of
from hil.processes.replayed import replay_in_words
from hil.processes.supervisor.compute_host import ComputeHost
from hil.processes.supervisor.daemon import Daemon
from planner.kinematics.arm_model import check_inverse, load_arm_model


def run_live(
    path: Path,
    settings: list[str],
    duration_s: float | None,
    replay: Path | None,
    only: str | None = None,
    record: Path | None = None,
    dashboard: int | None = None,
    foxglove: int | None = None,
) -> int:
    """Run the configuration until it is over or interrupted; return the exit status.

    `settings` are lines KEY=VALUE that stand in for the file's. `only` names the parts of this host if the
    run is split over two (docs/use/network.md). `record` is a file that must not be there yet, `dashboard`
    the port of the operator's page, `foxglove` that of its viewers.
    """
    site = "" if only is None else site_of(only)
    accepted = sound_configuration(path, settings)
    configuration = accepted.configuration
    if site and configuration.network is None:
        raise ConfigurationError(
            f"{path}: --only {only} needs the table [network] with the endpoints of both hosts: "
            "see docs/use/network.md"
        )
    if site and configuration.network is not None:
        load_keys(configuration.network.key_folder, site)  # bad ones are told here, before anything starts
    extra = [f"--set={text}" for text in settings]
    if replay is not None:
        print("\n".join(replay_in_words(replay)))
        extra += ["--replay", str(replay)]
    if record is not None:
        extra += ["--record", str(record)]
    if site:
        extra += ["--site", site]
    if site == COMPUTE:
        if any(value is not None for value in (duration_s, replay, record, dashboard, foxglove)):
            raise ConfigurationError(
                f"--only {only} takes no --duration, --replay, --record, --dashboard or --foxglove: give "
                "them on the robot's host"
            )
        return ComputeHost(accepted, path, extra).run()
    beside: tuple[str, ...] = () if record is None else ("recorder",)
    hint = ""
    if dashboard is not None:
        if dashboard == foxglove:
            raise ConfigurationError(
                f"--port {dashboard} and {FOXGLOVE_OPTION} {foxglove} are one: give another one of them"
            )
        may_listen(dashboard)
        extra += ["--port", str(dashboard)]
        beside += ("dashboard",)
        hint = f"dashboard: {address_of(dashboard, run_token(configuration.run))}"
    if foxglove is not None:
        hint = "\n".join(text for text in (hint, foxglove_hint(foxglove)) if text)
        extra += ["--foxglove-port", str(foxglove)]
        beside += ("foxglove",)
    again = partial(sound_configuration, path, settings)
    return Daemon(accepted, path, extra, duration_s, site, again, beside, hint).run()


def sound_configuration(path: Path, settings: list[str]) -> Accepted:
    """Return the configuration; a bad one, or a bad model, is told here in one line."""
    accepted = accept(path, settings)
    configuration = accepted.configuration
    model = configuration.robot.model
    check_inverse(load_arm_model(model), configuration.planner.inverse, model.name)
    shape_of(configuration)
    if text := must_diverge(configuration, path):
        raise ConfigurationError(text)
    for note in notes_of(model):
        print(f"zerog: {model.name}: {note}", file=sys.stderr)
    if warning := unbounded(configuration, path):
        print(f"zerog: {warning}", file=sys.stderr)
    return accepted
