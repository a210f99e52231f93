"""One file with the source of a commit, its results and all that a check of them needs, which checks itself.

`pack` puts it together: the source as git has it (`source`), the results as Snakemake knows them (`results`), the packages
(`wheels`), a description for machines (`crate`) and a list of outputs for those who check them (`codecheck`). `tarball` writes
the same bytes for the same contents. `verify` goes along: it needs a plain Python, and no network.
"""
