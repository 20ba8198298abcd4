"""`zerog doctor`: is this machine fit for a run?"""
