"""Configuration: TOML files, typed, frozen and complete; SI inside, units in the keys outside.

Also what follows from a configuration alone: fixed frames, the stops' axis, the stamp of certified stops.

May import: hil/common.
May be imported by: drivers/robot, drivers/fri, drivers/sensor, drivers/base, drivers/emulation, sim/mating,
sim/contact, sim/docking, sim/world, sim/assembly, planner/branches, planner/following, planner/base,
planner/workspace, hil/wrench, hil/loop, hil/recording, hil/processes, hil/analysis, hil/trials,
hil/dashboard, hil/workbench, hil/api, hil/commands.
"""

from hil.configuration.loading import load_configuration
from hil.configuration.schema import Configuration

__all__ = ["Configuration", "load_configuration"]
