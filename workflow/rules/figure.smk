"""Figure of a sweep's summary.

Needs a summary; makes figures/{sweep}.pdf, .svg and .png, and the same without releases as figures/{sweep}_exact.*.
"""


rule figure:
    input:
        RUN.needs("results/{sweep}/summary{variant}.csv"),
    output:
        multiext("figures/{sweep}{variant}", ".pdf", ".svg", ".png"),
    log:
        "results/logs/figure/{sweep}{variant}.log",
    localrule: True
    params:
        code=digest("workflow.jobs.figure"),
        attributes=lambda wildcards: PLAN.attributes(wildcards.sweep),
    shell:
        "python -m disclosure.workflow figure {input:q} --attributes {params.attributes} --output {output:q} 2> {log:q}"
