"""What the processes say and how it travels: messages, their codec, the table of topics, the bus;
and who may come to a page that we serve.

May import: hil/common.
May be imported by: drivers/emulation, sim/world, planner/branches, planner/following, hil/wrench, hil/loop,
hil/recording, hil/processes, hil/analysis, hil/trials, hil/dashboard, hil/workbench, hil/commands.
"""
