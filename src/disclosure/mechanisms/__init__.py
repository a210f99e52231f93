"""What a mechanism promises, in every language that promises are made in.

`gaussian` and `laplace` release numbers, `geometric` and `discrete_gaussian` whole numbers, and each finds the noise that a
guarantee asks for; `additive` is what they share, and `named` has them by their names. `randomised_response`, `exponential`
and `subsampled_gaussian` are mechanisms that are no noise on an answer: they draw releases and tell their densities. `privacy`
translates between the definitions of privacy that normal noise can keep, and composes releases; below both is `excess`, by how
much normal noise misses a guarantee. `conversions` has paper A's theorems between approximate and probabilistic privacy.
`odds_risk` tells how often a release raises an adversary's odds by more than a factor, and the noise that keeps this rare.
`neighbours` names the two relations of datasets that a promise may be about.
"""
