"""Docking in orbit: a servicer's pins meet the plate of a free-floating module."""
