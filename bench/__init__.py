"""Benchmarks: each settles one argument, prints a table and can write JSON."""
