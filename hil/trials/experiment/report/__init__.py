"""The report of an experiment: a page over its trials."""
