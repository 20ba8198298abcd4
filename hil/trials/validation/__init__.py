"""Contact experiments of a stiffness-controlled arm, beside a measured log (docs/validation.md)."""
