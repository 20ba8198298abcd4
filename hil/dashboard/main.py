"""The dashboard process: hears the run, draws it, serves the operator's page; nothing ever waits for it."""

import sys
import time

from hil.common.clock import NS, Ticker, nanoseconds
from hil.dashboard.clerk import Clerk
from hil.dashboard.drawing_proxy import DrawingProxy
from hil.dashboard.hearing import Hearing
from hil.dashboard.news import fixed_facts, news
from hil.dashboard.run_token import run_token
from hil.dashboard.signals import Signals
from hil.dashboard.site import Site
from hil.dashboard.view import View
from hil.loop.solids import ArmPicture
from hil.messaging.page_access import Access
from hil.processes.context import ProcessContext, run_process

RATE_HZ = 20.0


def body(context: ProcessContext) -> None:
    """Wire bus, drawing and page."""
    c, port = context.configuration, context.port
    assert port is not None
    arm = ArmPicture(c)
    signals, view = Signals(c, arm), View(c, arm)
    hearing, clerk = Hearing(context.bus, c), Clerk(context.directory)
    access, facts = Access(port, run_token(c.run)), fixed_facts(c, arm)
    site = Site(port, access, DrawingProxy(view.port), facts, clerk.obey, context.clock.now_ns)
    context.ready()
    ticker = Ticker(nanoseconds(1.0 / RATE_HZ))
    while not context.stopping:
        ticker.wait()
        now_ns = context.clock.now_ns()
        clerk.turn(time.monotonic())
        signals.threshold = float(clerk.status.get("derivative_threshold_n_per_s", signals.threshold))
        for msg in hearing.turn():
            signals.take(msg)
        signals.turn(now_ns / NS)
        last = hearing.last
        told = news(now_ns, last.mode, last.robot, last.sim, clerk.status, signals, facts["emulated"])
        site.publish(told | {"axes": site.axes})
        if site.watched:
            view.draw(now_ns / NS, signals, last, site.axes)
        context.beat()
    site.close()
    clerk.close()
    view.close()


if __name__ == "__main__":
    sys.exit(run_process("dashboard", body))
