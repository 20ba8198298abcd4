"""The certified set: where the object moves freely without a change of the arm's configuration.

May import: hil/common, hil/configuration, sim/chain, planner/inverse, planner/kinematics.
May be imported by: hil/analysis, hil/commands.
"""
