"""Expected values over random datasets, without sampling any."""
