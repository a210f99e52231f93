"""From a configuration to the files of the study: what the workflow's rules are told, and what its jobs read and write.

`config` checks the settings. `plan` holds the checked settings and the sweeps, each of its kind (`kinds`). `stages` declares
what each stage makes and needs, in the terms of `stage`; the rules in ``workflow/rules`` read these declarations. The command
of a stage is a module in `jobs`. Commands read and write tables with known columns (`tables`), whole or not at all. `claims`
judges the printed numbers, and `report` makes pages. `sources` has the digest of the code behind a result, `digests` that of a
file. `archive` puts source and results into one file that checks itself.

`runs` is what the Snakefile does beside its rules. It lets one run at a time work in a folder (`run_lock`), lets Snakemake look
at a folder without changing it (`looking`), keeps earlier files until new ones replace them (`kept`), and prints lines of
progress (`progress`). Nothing here imports Snakemake; `protocols` says which parts of its objects are used.
"""
