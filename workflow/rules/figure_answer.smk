"""Figures of the answers to what both papers leave open.

Needs a question's answer; makes figures/{question}.*.
"""


rule figure_answer:
    input:
        **STAGES.figure_answer.input,
    output:
        STAGES.figure_answer.output,
    log:
        STAGES.figure_answer.log,
    localrule: True
    params:
        **STAGES.figure_answer.params,
    shell:
        "python -m disclosure.workflow figure_answer {wildcards.question} {input.answer:q} --output {output:q} 2> {log:q}"
