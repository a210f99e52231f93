"""A data steward's table of people, and what a noisy release about a sample of them reveals.

`reading` makes `records` of a CSV file, and `queries` says what is released and how far one record can move it. `targets` are
the people who are looked at, and `neighbour_sets` the sets of people outside the dataset. How far belief in somebody's
presence moves has `limits` for everybody and every dataset, and `ratios` what some dataset comes to, for what is `asked`; it
rests on `best_sets`, `priors` and `gaps`, and `comparison` sets it against the error of a statistic. `exposure` adds the union
mass and the failure probability of each target, `supremum` the largest union mass over all datasets, and `summary` what they
come to over all people. `attribute_risk` is about the value of somebody who is known to be in the dataset, and `conditions` say
which values are sensitive. `choice` finds the noise for what is tolerated, by the ratio itself or by the `criteria` of its
bounds. `description` says in words what a table, a release and the people looked at are.
"""
