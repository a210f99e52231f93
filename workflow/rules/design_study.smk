"""The cheapest study for a wanted error of F, and the error of the published one.

Needs the exact summaries of the papers' sweeps; makes results/study_design.csv.
"""


rule design_study:
    input:
        **STAGES.design_study.input,
    output:
        STAGES.design_study.output,
    log:
        STAGES.design_study.log,
    localrule: True
    params:
        **STAGES.design_study.params,
    shell:
        "python -m disclosure.workflow design_study {input.summaries:q} --relative-error {params.design[relative_error]}"
        " --seconds-per-dataset {params.design[seconds_per_dataset]}"
        " --seconds-per-release {params.design[seconds_per_release]} --output {output:q} 2> {log:q}"
