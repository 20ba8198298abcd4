"""From a plan to the next command: law of motion, limiter, brakes, guard.

`law` says where to go, `limiter` (ruckig) gets there within limits, `stopping` knows in closed form whether a
joint can still come to rest, and the `guard` brakes on the grid of commands (`discrete_brake`). Why it takes
three ways to rest: docs/theory.md, section 11.

May import: hil/common, hil/configuration, hil/messaging, planner/kinematics.
May be imported by: hil/loop.
"""
