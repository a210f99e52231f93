"""Answers to what both papers leave open, a table for each question.

Needs the question's settings; makes results/open_questions/{question}.csv.
"""


rule answer:
    output:
        STAGES.answer.output,
    log:
        STAGES.answer.log,
    params:
        **STAGES.answer.params,
    shell:
        "python -m disclosure.workflow answer {wildcards.question} --settings {params.settings:q} --output {output:q} 2> {log:q}"
