"""Union mass T and exact failure probability of every dataset of a sweep.

Needs the sweep's calibration; makes results/{sweep}/upper_limit/{shard}.csv.
"""


rule upper_limit:
    input:
        "results/{sweep}/calibration.csv",
    output:
        "results/{sweep}/upper_limit/{shard}.csv",
    params:
        code=code("upper_limit"),
        seed=STUDY["seed"],
        range=lambda wildcards: shard_of(wildcards.shard, STUDY["datasets"], STUDY["datasets_per_job"]),
    log:
        "results/logs/upper_limit/{sweep}/{shard}.log",
    shell:
        "disclosure upper_limit {input:q} --seed {params.seed} --start {params.range[start]} --stop {params.range[stop]}"
        " --output {output:q} 2> {log:q}"
