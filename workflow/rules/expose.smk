"""Exposure of the people of a table at one point of a sweep.

Needs the sweep's calibration and its table, which is looked for in the working folder and then beside the Snakefile; makes
results/{table}/exposure/{point}/{shard}.csv.
"""


rule expose:
    input:
        calibration=RUN.needs("results/{table}/calibration.csv"),
        people=lambda wildcards: runs.located(PLAN.entry(wildcards.table)["table"], HOME),
    output:
        "results/{table}/exposure/{point}/{shard}.csv",
    log:
        "results/logs/expose/{table}/{point}/{shard}.log",
    params:
        code=digest("workflow.jobs.expose"),
        seed=PLAN.settings["seed"],
        query=lambda wildcards: PLAN.query(wildcards.table),
        options=lambda wildcards: PLAN.reading(wildcards.table),
        targets=lambda wildcards: PLAN.targets(wildcards.table),
        datasets=lambda wildcards: PLAN.datasets(wildcards.table),
        range=lambda wildcards: PLAN.exposure_range(wildcards.table, wildcards.shard),
    shell:
        "python -m disclosure.workflow expose {input.calibration:q} {input.people:q} {params.query:q} {params.options:q}"
        " --point {wildcards.point} --targets {params.targets} --datasets {params.datasets} --seed {params.seed}"
        " --start {params.range[0]} --stop {params.range[1]} --output {output:q} 2> {log:q}"
