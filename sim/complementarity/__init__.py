"""Unilateral contacts with Coulomb friction as complementarity: solvers and Moreau time stepping; compiled.

May import: hil/common.
May be imported by: sim/insertion.
"""
