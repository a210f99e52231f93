"""Independent replications of the whole study by exact probabilities, for the ranges beside the printed numbers.

Needs the calibration of a sweep; makes results/{sweep}/replicate/{shard}.csv.
"""


rule replicate:
    input:
        **STAGES.replicate.input,
    output:
        STAGES.replicate.output,
    log:
        STAGES.replicate.log,
    priority: 1
    params:
        **STAGES.replicate.params,
    shell:
        "python -m disclosure.workflow replicate {input.calibration:q} --attributes {params.attributes} --seed {params.seed} --datasets {params.datasets}"
        " --start {params.range[0]} --stop {params.range[1]} --output {output:q} 2> {log:q}"
