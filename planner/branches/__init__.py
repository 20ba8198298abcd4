"""From a predicted path to a joint path: dynamic programming over branches and arm angles.

May import: hil/common, hil/configuration, hil/messaging, planner/kinematics.
May be imported by: hil/loop, hil/recording, hil/processes, hil/trials.
"""
