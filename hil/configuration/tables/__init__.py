"""The tables of a run's configuration: one class a table, one field a key, SI in the fields.

What stands under a field is its meaning, for `zerog check --explain` and docs/use/configuration.md
(`hil.configuration.meanings`). It ends with the parts of the program in which the key acts, `In: driver.`,
where they are not those that the table's own docstring names.
"""
