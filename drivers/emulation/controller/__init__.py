"""The emulated controller: answers, set-points, monitor of commands."""
