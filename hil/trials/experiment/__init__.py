"""Push experiments: a plan's trials, run live or in lock-step, each a recording and a row of results."""
