"""From a plan to the next command: law of motion, limiter, brakes, guard.

May import: hil/common, hil/configuration, hil/messaging, planner/kinematics.
May be imported by: hil/loop.
"""
