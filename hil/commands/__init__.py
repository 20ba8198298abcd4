"""The bodies of the commands, one file each; imported only when their command is given."""
