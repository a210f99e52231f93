"""Paper A's Monte Carlo study: points, random streams, datasets, releases and their statistics."""
