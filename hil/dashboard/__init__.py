"""The operator's page: what the run looks like, and the controls; never in the loop, without any kernel."""
