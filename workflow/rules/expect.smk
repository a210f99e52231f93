"""Expected values over all datasets, without sampling any.

Needs the sweep's calibration; makes results/{sweep}/expected.csv.
"""


rule expect:
    input:
        "results/{sweep}/calibration.csv",
    output:
        "results/{sweep}/expected.csv",
    log:
        "results/logs/expect/{sweep}.log",
    params:
        code=digest("commands.expect"),
        attributes=lambda wildcards: PLAN.entry(wildcards.sweep).get("attributes", "uniform"),
        failure=lambda wildcards: ["--failure"] if PLAN.entry(wildcards.sweep).get("expect_failure") else [],
    shell:
        "disclosure expect {input:q} --attributes {params.attributes} {params.failure} --output {output:q} 2> {log:q}"
