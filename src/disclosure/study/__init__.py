"""Paper A's Monte Carlo study (section 6).

A sweep is a list of `points`. At each of them `datasets` draws datasets, and `simulation` counts the noisy releases of each
that push the posterior-to-prior ratio out of its bounds, by one of two methods: `threshold`, which is fast, and `literal`,
which is independent evidence. `any_mechanism` estimates the same for mechanisms of any kind, with intervals. All random
numbers come from named `streams`. `statistics` turns counts and probabilities into the means and standard errors that are
reported, and `design` says how many datasets and releases a wanted error costs.
"""
