"""Where commands to the end effector come from: hands, programs, files. One class a source."""
