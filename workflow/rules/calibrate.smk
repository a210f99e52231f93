"""Points of a sweep and the noise that each needs.

Needs the sweep's entry in the configuration; makes results/{sweep}/calibration.csv.
"""


rule calibrate:
    output:
        "results/{sweep}/calibration.csv",
    log:
        "results/logs/calibrate/{sweep}.log",
    localrule: True
    params:
        code=digest("workflow.jobs.calibrate"),
        population=lambda wildcards: json.dumps(PLAN.entry(wildcards.sweep)["population"]),
        sample=lambda wildcards: json.dumps(PLAN.entry(wildcards.sweep)["sample"]),
        epsilon=lambda wildcards: json.dumps(PLAN.entry(wildcards.sweep)["epsilon"]),
        delta=lambda wildcards: json.dumps(PLAN.entry(wildcards.sweep)["delta"]),
        query=lambda wildcards: PLAN.query(wildcards.sweep),
    shell:
        "python -m disclosure.workflow calibrate --population {params.population:q} --sample {params.sample:q}"
        " --epsilon {params.epsilon:q} --delta {params.delta:q} {params.query:q} --output {output:q} 2> {log:q}"
