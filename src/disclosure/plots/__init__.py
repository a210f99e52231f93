"""Figures: one module for each kind, one shared style."""
