"""Trials of docking: one, and a map of many."""
