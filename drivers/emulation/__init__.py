"""What stands in for a robot, and its process.

`controller` answers, `arm` moves and estimates the wrench, `operator` pushes.

May import: hil/common, hil/configuration, hil/messaging, drivers/robot, drivers/fri, drivers/sensor.
May be imported by: hil/loop, hil/recording, hil/processes, hil/analysis, hil/trials, hil/commands.
"""
