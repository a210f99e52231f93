"""From a configuration to the files of the study: what the workflow's rules are told, and what its jobs read and write.

`config` checks the settings, and `plan` has them with the sweeps, each of its kind (`kinds`). `stages` declares what
each stage makes and needs; the rules in ``workflow/rules`` read it there. The command of a stage is a module in `jobs`,
which reads and writes tables with known columns (`tables`), whole or not at all. `claims` judges the printed numbers,
`report` makes pages. `runs` is what the Snakefile does beside its rules: one run in a folder at a time (`run_lock`),
looking that changes nothing (`looking`), earlier files that stay until their successors are there (`kept`), lines of
progress (`progress`). `sources` has the digest of the code behind a result. Nothing here imports Snakemake; `protocols`
says what is used of its objects.
"""
