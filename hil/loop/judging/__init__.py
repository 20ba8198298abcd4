"""Who decides: the state machine, the judge, the energy monitor, the experimenter."""
