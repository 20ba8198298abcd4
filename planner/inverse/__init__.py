"""Inverse kinematics of any serial chain: Lagrange optimisation, passive chain.

May import: hil/common, sim/chain.
May be imported by: planner/branches, planner/workspace, hil/workbench.
"""
