"""The command line: its grammar in `cli`, and the bodies of its commands.

A body is imported only when its command is given.

May import: hil/common, hil/configuration, hil/messaging, hil/force, hil/wrench, hil/loop, hil/recording,
hil/processes, hil/analysis, hil/trials, hil/dashboard, hil/workbench, drivers/robot, drivers/fri,
drivers/sensor, drivers/emulation, sim/assembly, sim/exports, planner/kinematics, planner/workspace.
May be imported by: no room.
"""
