"""Expected values over all datasets, without sampling any.

Needs the sweep's calibration; makes results/{sweep}/expected/{shard}.csv.
"""


rule expect:
    input:
        **STAGES.expect.input,
    output:
        STAGES.expect.output,
    log:
        STAGES.expect.log,
    priority: 2  # jobs of the longest stages start first, so that no core waits for them at the end
    params:
        **STAGES.expect.params,
    shell:
        "python -m disclosure.workflow expect {input.calibration:q} --attributes {params.attributes} {params.prior_free}"
        " --start {params.range[0]} --stop {params.range[1]} --output {output:q} 2> {log:q}"
