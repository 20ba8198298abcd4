"""Contact experiments of a stiffness-controlled arm, beside a measured log (docs/use/validation.md)."""
