"""Figures: a module for each kind of figure, in one shared style.

`sweep` draws paper A's Figures 1 to 3, `odds` paper B's, `exposure` those of a table of people, `comparison` the risk of its
people against the error of a statistic, and `trade_off` how well a release lets somebody tell which of two datasets it is
about. What several share is in `style` and `axes`; `alternative` puts a
figure into words, and `formats` lists the formats of the files that it is written as.
"""
