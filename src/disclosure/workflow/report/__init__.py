"""Pages of the report: their words, their tables and figures, and the sentences about them."""
