"""Serial chains of rigid bodies, of any number of joints: kinematics, dynamics, their derivatives; compiled.

May import: hil/common.
May be imported by: sim/assembly, sim/drives, sim/exports, sim/insertion, planner/inverse,
planner/kinematics, planner/branches, planner/workspace, hil/workbench.
"""
