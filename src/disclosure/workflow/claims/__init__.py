"""Printed numbers and claims of both papers beside the reproduced ones.

`paper_a` and `paper_b` have the rule of each number and claim, `verdicts` what a verdict is and the table in which they stand,
`page` the page made of it. `scale` has the points and the numbers of datasets and releases at which paper A prints its numbers.
"""
