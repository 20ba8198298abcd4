"""Recorded runs as traces, so that live runs have figures too."""
