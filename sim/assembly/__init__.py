"""Manipulators put together from components: database, connectors, chain, checks.

May import: hil/common, hil/configuration, sim/chain.
May be imported by: sim/drives, sim/exports, sim/insertion, hil/workbench, hil/commands.
"""
