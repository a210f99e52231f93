"""Pages of the report.

`story` has their words, `pages` their tables and figures in HTML, `extents` a sentence about a table in its own
numbers. The words stand in ``workflow/report/results.yaml``, each with the settings that it is true of.
"""
