"""Every printed number and claim beside the reproduced one.

`replicate` needs the calibration of a sweep and makes results/{sweep}/replicate/{shard}.csv, independent replications of the
whole study by exact probabilities. `compare_published` needs those and the summaries; makes results/published.csv and the page
results/published.md.
"""


rule replicate:
    input:
        RUN.needs("results/{sweep}/calibration.csv"),
    output:
        "results/{sweep}/replicate/{shard}.csv",
    log:
        "results/logs/replicate/{sweep}/{shard}.log",
    priority: 1
    params:
        code=digest("workflow.jobs.replicate"),
        seed=PLAN.settings["seed"],
        datasets=PLAN.settings["datasets"],
        range=lambda wildcards: PLAN.replication_range(wildcards.shard),
    shell:
        "python -m disclosure.workflow replicate {input:q} --sweep {wildcards.sweep} --seed {params.seed} --datasets {params.datasets} --start {params.range[0]}"
        " --stop {params.range[1]} --output {output:q} 2> {log:q}"


rule compare_published:
    input:
        printed=os.path.join(HOME, "resources/published.csv"),
        summaries=RUN.needs(PLAN.compared()),
        replications=RUN.needs(PLAN.replications()),
    output:
        table="results/published.csv",
        page="results/published.md",
    log:
        "results/logs/compare_published.log",
    localrule: True
    params:
        code=digest("workflow.jobs.compare_published"),
        profile=json.dumps(PLAN.settings["odds_risk_profile"]),
        study=PLAN.settings["case_control"],
    shell:
        "python -m disclosure.workflow compare_published {input.printed:q} --summaries {input.summaries:q}"
        " --replications {input.replications:q} --profile {params.profile:q}"
        " --participants {params.study[participants]} --prevalence {params.study[prevalence]} --output {output.table:q} --page {output.page:q} 2> {log:q}"
