"""From a sample of the wrench to impulses.

Filter, learning of noise and where the wrench acts; `detector` finds pushes, `witness` asks the joint
torques, `known` checks sign and frame with known forces, `recorded` does it all with files.

May import: hil/common, hil/configuration, hil/messaging, planner/kinematics, hil/force.
May be imported by: hil/loop, hil/processes, hil/analysis, hil/dashboard, hil/commands.
"""
