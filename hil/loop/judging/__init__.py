"""Who decides: liveness, the judge, the state machine, the energy monitor, the experimenter."""
