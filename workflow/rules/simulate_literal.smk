"""Failing releases by the ratio of each, for `verify`: fewer of them, of the datasets of one point.

Needs the sweep's calibration; makes results/{sweep}/verify/{point}/{shard}.csv.
"""


rule simulate_literal:
    input:
        **STAGES.simulate_literal.input,
    output:
        STAGES.simulate_literal.output,
    log:
        STAGES.simulate_literal.log,
    params:
        **STAGES.simulate_literal.params,
    shell:
        "python -m disclosure.workflow simulate {input.calibration:q} --point {wildcards.point} --releases {params.releases}"
        " --method literal --attributes {params.attributes} --seed {params.seed} --start {params.range[0]} --stop {params.range[1]}"
        " --output {output:q} 2> {log:q}"
