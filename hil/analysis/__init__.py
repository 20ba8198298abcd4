"""What a run comes to.

`figures` of a trace, `latency` of a live loop, `report` as a page, `recorded` runs as traces.

May import: hil/common, hil/configuration, hil/messaging, hil/force, hil/wrench, hil/loop, hil/recording,
hil/processes, drivers/robot, drivers/fri, drivers/emulation, sim/world, planner/kinematics,
planner/workspace.
May be imported by: hil/trials, hil/dashboard, hil/workbench, hil/api, hil/commands.
"""
