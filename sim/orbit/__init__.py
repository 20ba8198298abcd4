"""Relative motion about a circular orbit."""
