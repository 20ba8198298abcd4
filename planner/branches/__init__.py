"""From a predicted path to a joint path: dynamic programming over branches and arm angles, or step by step.

May import: hil/common, hil/configuration, hil/messaging, sim/chain, planner/inverse, planner/kinematics.
May be imported by: hil/loop, hil/recording, hil/processes, hil/trials.
"""
