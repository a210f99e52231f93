"""Figures of the answers to what both papers leave open.

Each question has a module, whose ``figure`` draws the question's table.
"""
