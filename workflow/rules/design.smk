"""The cheapest study for a wanted error of F, and the error of the published one.

Needs the exact summaries of the papers' sweeps; makes results/study_design.csv.
"""


rule design_study:
    input:
        RUN.needs(PLAN.per_sweep("summary_exact.csv")),
    output:
        "results/study_design.csv",
    log:
        "results/logs/design_study.log",
    localrule: True
    params:
        code=digest("workflow.jobs.design_study"),
        design=PLAN.settings["study_design"],
    shell:
        "python -m disclosure.workflow design_study {input:q} --relative-error {params.design[relative_error]}"
        " --seconds-per-dataset {params.design[seconds_per_dataset]}"
        " --seconds-per-release {params.design[seconds_per_release]} --output {output:q} 2> {log:q}"
