"""Expected values over all datasets, without sampling any.

Needs the sweep's calibration; makes results/{sweep}/expected/{shard}.csv.
"""


rule expect:
    input:
        RUN.needs("results/{sweep}/calibration.csv"),
    output:
        "results/{sweep}/expected/{shard}.csv",
    log:
        "results/logs/expect/{sweep}/{shard}.log",
    priority: 2  # jobs of the longest stages start first, so that no core waits for them at the end
    params:
        code=digest("workflow.jobs.expect"),
        range=lambda wildcards: PLAN.expected_range(wildcards.sweep, wildcards.shard),
        attributes=lambda wildcards: PLAN.entry(wildcards.sweep)["attributes"],
    shell:
        "python -m disclosure.workflow expect {input:q} --attributes {params.attributes} --start {params.range[0]} --stop {params.range[1]}"
        " --output {output:q} 2> {log:q}"
