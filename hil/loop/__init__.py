"""The cores that run live and in lock-step, and the lock-step loop itself.

`driver` is the cycle that answers the robot, `sim_core` the floating body beside it, `judging` the states,
`carried` what a moving base adds, `shared` two arms before one observer, `trace` what a run was, row by row.

May import: hil/common, hil/configuration, hil/messaging, hil/force, hil/wrench, drivers/robot, drivers/fri,
drivers/sensor, drivers/base, drivers/emulation, sim/contact, sim/docking, sim/world, planner/kinematics,
planner/branches, planner/following, planner/base.
May be imported by: hil/recording, hil/processes, hil/analysis, hil/trials, hil/dashboard, hil/workbench,
hil/api, hil/commands.
"""
