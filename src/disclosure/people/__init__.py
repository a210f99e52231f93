"""A steward's table of people: reading, queries, who is exposed, and the choice of noise."""
