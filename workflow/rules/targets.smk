"""Named targets beside `all`.

`exact`: the papers' figures without drawing a release. `beyond`: past the papers' limits. `steward`: tables of people.
`case_control`: paper B alone. `report`: the pages of the report.
"""


rule exact:
    input:
        stages.exact(PLAN),


rule beyond:
    input:
        stages.beyond(PLAN),


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
