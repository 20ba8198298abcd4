"""The bridge process of a split run: this host's topics to the other host and back (docs/use/network.md)."""

import sys

from hil.common.errors import ConfigurationError
from hil.processes.bridge.agreement import agreement_stamp
from hil.processes.bridge.carrier import Bridge
from hil.processes.bridge.keys import load_keys
from hil.processes.bridge.link import Link
from hil.processes.bridge.link_judge import LinkJudge
from hil.processes.bridge.sites import other_site
from hil.processes.context import ProcessContext, run_process


def body(context: ProcessContext) -> None:
    """Wire the bridge to the bus of this host and to the network."""
    c, site = context.configuration, context.site
    if c.network is None:
        raise ConfigurationError("network is missing: a bridge needs the endpoints of both hosts")
    ends = {"robot": c.network.robot, "compute": c.network.compute}
    other = other_site(site)
    own_end, other_end = ((f"{context.path}: network.{name}", ends[name]) for name in (site, other))
    link = Link(own_end, other_end, load_keys(c.network.key_folder, site))
    bridge = Bridge(context.bus, link, LinkJudge(ends[other], agreement_stamp(c)), site)
    context.ready()
    while not context.stopping:
        bridge.turn()
        context.beat()
    link.close()


if __name__ == "__main__":
    sys.exit(run_process("bridge", body))
