"""Recordings: what a run said of itself, in an MCAP file that other tools open without a converter."""
