"""A release of several statistics about the same people, on one budget.

A `plan` is a list of `statistic`s with noise from one `budget`; `stack` makes one query of them, and `several_rows` people of
rows. `joint` says what they reveal together, by `unlike_noises` where the noise is not all normal, `accuracy` how far off they
are, and `answer` all of it. `choice` finds the noise for what is tolerated.
"""
