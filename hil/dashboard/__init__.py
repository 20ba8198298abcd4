"""The operator's page: what the run looks like, and the controls; never in the loop, without any kernel.

May import: hil/common, hil/configuration, hil/messaging, hil/wrench, hil/loop, hil/recording,
hil/processes, hil/analysis, drivers/robot.
May be imported by: hil/commands.
"""
