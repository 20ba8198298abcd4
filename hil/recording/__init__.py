"""Recordings: what a run said of itself, in an MCAP file that other tools open without a converter.

`replaying` runs today's cores on a recording's inputs.

May import: hil/common, hil/configuration, hil/messaging, hil/loop, drivers/fri, drivers/sensor,
drivers/emulation, planner/kinematics, planner/branches.
May be imported by: hil/processes, hil/analysis, hil/trials, hil/dashboard, hil/workbench, hil/api,
hil/commands.
"""
