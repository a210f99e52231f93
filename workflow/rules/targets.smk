"""Named targets beside `all`.

`exact`: the papers' figures without drawing a release. `beyond`: past the papers' limits. `open_questions`: answers to what
the papers leave open. `steward`: tables of people. `case_control`: paper B alone. `report`: the pages of the report. `article` and `verify` are rules of their own.
"""


rule exact:
    input:
        stages.exact(PLAN),


rule beyond:
    input:
        stages.beyond(PLAN),


rule open_questions:
    input:
        stages.open_questions(PLAN),


rule report:
    input:
        stages.everything(PLAN),
        stages.pages(PLAN),


rule steward:
    input:
        stages.steward(PLAN),


rule case_control:
    input:
        stages.case_control(PLAN),
