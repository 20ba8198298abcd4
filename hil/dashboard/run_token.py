"""The token of a run's page."""

import hashlib
import os

from hil.common.state_directory import state_directory
from hil.configuration.schema import Run
from hil.messaging.page_access import kept_token
from hil.messaging.runtime_directory import runtime_directory


def run_token(run: Run) -> str:
    """Return the token of the run in this run-time directory, made once and kept for its owner alone.

    It outlives the run: a page that is open finds the next run by itself.

    Raises:
        LinkError: it cannot be kept.
    """
    runtime = runtime_directory(run.runtime_directory).absolute()
    name = hashlib.sha256(str(runtime).encode()).hexdigest()[:12]
    file = state_directory(run.state_directory, os.environ).path / f"dashboard-{name}"
    return kept_token(file, "the dashboard", "set run.state_directory to a folder of yours")
