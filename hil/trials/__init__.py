"""Many runs, and what they tell: `experiment`, `soak`, `docking`, `validation`.

May import: hil/common, hil/configuration, hil/messaging, hil/loop, hil/recording, hil/processes,
hil/analysis, drivers/robot, drivers/fri, drivers/sensor, drivers/emulation, sim/contact, sim/docking,
sim/mating, sim/insertion, planner/kinematics, planner/branches.
May be imported by: hil/workbench, hil/commands.
"""
