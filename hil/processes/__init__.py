"""The programs of a run: the table of processes, what all have in common, and one main each.

`mains` wire a core to its sockets, `real_time` makes them punctual, `supervisor` starts and watches them,
`bridge` joins two hosts.

May import: hil/common, hil/configuration, hil/messaging, hil/wrench, hil/loop, hil/recording, drivers/fri,
drivers/sensor, drivers/emulation, planner/kinematics, planner/branches.
May be imported by: hil/analysis, hil/trials, hil/dashboard, hil/api, hil/commands.
"""
