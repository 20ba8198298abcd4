"""Model exports: one module a format, all from one `Manipulator` and the `Chain` that it came from."""
