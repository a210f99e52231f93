"""Answers as pages that a board can read: each one file, which asks the network for nothing.

`shown` has what the page of a release shows, `table` makes it from a table of people, and `release` writes the page.
`participants` says the same to the people in the data, and `record` to machines. `profile` is the page of an odds risk profile.
"""
