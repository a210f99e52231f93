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
    shell:
        "disclosure expect {input:q} --attributes {params.attributes} --output {output:q} 2> {log:q}"
