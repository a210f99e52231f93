"""One module for each subcommand of `disclosure`, with ``arguments(parser)`` and ``run(arguments)``."""
