"""Mass of sets under standard normal noise, in one dimension, in the plane and in space.

`line`, `plane` and `space` offer the same two functions: the mass outside strips, in which log density ratios stay within a
bound, and the mass outside levels of the mixture g that the posterior-to-prior ratio depends on. `select` is the one place
that chooses between them, by how many dimensions a dataset's gaps span. Below these are `terms` (the mixture), `crossings`
(where it crosses a level along a line, from `exponential_sums` and with the `sharpness` of what is found), `rays` (masses
along rays), `level_sets` and `interior` (its convex sets), `polygons` and `strips` (good regions), `half_spaces` and
`sampling` (directions in three dimensions and more), and `equal_terms` (very many terms as fewer).
"""
