"""The workbench's page: what it shows and does, and the server on loopback that serves it."""
