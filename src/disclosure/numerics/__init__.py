"""Checks of arguments, estimates with their errors, normal tails, quadrature, roots, and the grammar of numbers."""
