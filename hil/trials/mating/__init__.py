"""Experiments of mating: configurations, sweeps, features, report."""
