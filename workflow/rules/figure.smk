"""Figure of a sweep's summary.

Needs a summary; makes figures/{sweep}.pdf, .svg and .png, and the same without releases as figures/{sweep}_exact.*.
"""


rule figure:
    input:
        **STAGES.figure.input,
    output:
        STAGES.figure.output,
    log:
        STAGES.figure.log,
    localrule: True
    params:
        **STAGES.figure.params,
    shell:
        "python -m disclosure.workflow figure {input.summary:q} {params.drawn:q} --output {output:q} 2> {log:q}"
