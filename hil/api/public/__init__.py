"""The folder from which `import zerog` comes: pyproject.toml maps it; by this path nobody imports it."""
