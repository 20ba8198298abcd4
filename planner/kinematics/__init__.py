"""The arm's geometry: its model, forward and closed-form inverse kinematics.

May import: hil/common, sim/chain.
May be imported by: planner/branches, planner/following, planner/workspace, hil/wrench, hil/loop,
hil/recording, hil/processes, hil/analysis, hil/trials, hil/commands.
"""
