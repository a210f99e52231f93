"""Page of the report with every printed number and claim, the evidence and a verdict.

Needs the comparison, and the words in workflow/report/results.yaml; makes results/report/claims.html.
"""


rule show_claims:
    input:
        **STAGES.show_claims.input,
    output:
        report(STAGES.show_claims.output, caption="../report/caption.rst", **STORY.flags("claims")),
    log:
        STAGES.show_claims.log,
    localrule: True
    params:
        **STAGES.show_claims.params,
        **STORY.words("title", "caption", of="claims"),
    shell:
        "python -m disclosure.workflow show_claims {input.published:q} --printed {input.printed:q} --title {params.title:q}"
        " --caption {params.caption:q} --output {output:q} 2> {log:q}"
