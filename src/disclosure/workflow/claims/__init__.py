"""Printed numbers and claims of both papers, and the verdicts on them."""
