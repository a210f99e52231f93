"""Union mass T, exact failure probabilities and quantiles of the ratio of every dataset of a sweep.

Needs the sweep's calibration; makes results/{sweep}/upper_limit/{shard}.csv.
"""


rule upper_limit:
    input:
        **STAGES.upper_limit.input,
    output:
        STAGES.upper_limit.output,
    log:
        STAGES.upper_limit.log,
    params:
        **STAGES.upper_limit.params,
    shell:
        "python -m disclosure.workflow upper_limit {input.calibration:q} --seed {params.seed} --ratio-probability {params.ratio_probability}"
        " --attributes {params.attributes}"
        " --start {params.range[0]} --stop {params.range[1]}"
        " --output {output:q} 2> {log:q}"
