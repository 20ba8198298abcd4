"""`zerog workbench`: serves the page on loopback until it is interrupted."""

import asyncio
import os
import signal
import webbrowser
from pathlib import Path

from hil.common.state_directory import state_directory
from hil.messaging.page_access import Access, address_of, kept_token, may_listen
from hil.workbench.draft import Drafts
from hil.workbench.page.desk import Desk
from hil.workbench.page.site import Site
from sim.assembly.database import load_database

TOKEN = "workbench-token"


def run_workbench(port: int, path: Path | None, open_browser: bool) -> int:
    """Serve until Ctrl-C or SIGTERM, and return 0.

    Args:
        port: on loopback.
        path: an assembly to begin with; None: none.
        open_browser: let the desktop open the page.

    Raises:
        LinkError: the port is taken, or the token cannot be kept.
        AssemblyError: the file or the components cannot be read.
    """
    may_listen(port, "workbench")
    folder = state_directory("", os.environ).path
    token = kept_token(folder / TOKEN, "the workbench", "set XDG_STATE_HOME to a folder of yours")
    desk = Desk(load_database(), Drafts(folder), Path.cwd(), path)
    site = Site(desk, Access(port, token, "the workbench", "it"))
    address = address_of(port, token)
    asyncio.run(_served(site, port, address, open_browser))
    return 0


async def _served(site: Site, port: int, address: str, open_browser: bool) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    runner = await site.begin(port)
    print(f"workbench: {address}\nCtrl-C ends it; what is not saved is kept as a draft", flush=True)
    if open_browser and _has_screen():
        await asyncio.to_thread(webbrowser.open, address)
    await stopped.wait()
    await site.close()
    await runner.cleanup()


def _has_screen() -> bool:
    """Return whether a browser would have a window; one in the terminal would only stand in the way."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
