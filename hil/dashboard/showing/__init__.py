"""A recording on the page: played, looked at, and nothing that acts."""
