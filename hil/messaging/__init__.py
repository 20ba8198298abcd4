"""What is said and how it travels: messages, codec, topics, the bus, and the door of the pages that we serve.

May import: hil/common.
May be imported by: drivers/emulation, sim/world, planner/branches, planner/following, hil/wrench, hil/loop,
hil/recording, hil/processes, hil/analysis, hil/trials, hil/dashboard, hil/workbench, hil/api, hil/commands.
"""
