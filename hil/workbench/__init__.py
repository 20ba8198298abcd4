"""The workbench: manipulators assembled, driven and designed, and its page.

May import: hil/common, hil/configuration, hil/messaging, sim/chain, sim/assembly, sim/drives, sim/exports,
planner/inverse, hil/loop, hil/recording, hil/analysis, hil/trials.
May be imported by: hil/commands.
"""
