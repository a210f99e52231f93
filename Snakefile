"""The door to the workflow, whose table of contents is workflow/Snakefile: `snakemake --cores N` makes all of it."""


include: "workflow/Snakefile"


# Snakemake takes no default target from an included file.
rule paper:
    default_target: True
    input:
        rules.all.input,
