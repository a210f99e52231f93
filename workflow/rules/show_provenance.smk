"""Page of the report with versions, parameters and times.

Needs the record of them, all results whose times it tells, and the words in workflow/report/results.yaml; makes
results/report/provenance.html.
"""


rule show_provenance:
    input:
        **STAGES.show_provenance.input,
    output:
        report(STAGES.show_provenance.output, caption="../report/caption.rst", **STORY.flags("provenance")),
    log:
        STAGES.show_provenance.log,
    localrule: True
    params:
        **STAGES.show_provenance.params,
        **STORY.words("title", "caption", of="provenance"),
        logs=lambda wildcards, input: RUN.logs(),
    shell:
        "python -m disclosure.workflow show_provenance {input.record:q} --logs {params.logs:q} --title {params.title:q}"
        " --caption {params.caption:q} --output {output:q} 2> {log:q}"
