"""The comparison as a page."""

import io

import pandas as pd

from disclosure.workflow.claims import page

OTHER_RUN = """id,printed,reproduced,low,high,verdict,note,expected,same_as
A.F1.mean_T,1.49e-2,0.015,,,open,not run with the paper's numbers of datasets and releases,,
A.F1.sd_F.min,5.82e-12,1e-11,,,open,not run with the paper's numbers of datasets and releases; over epsilon > 0,,
A.F3.F_at_1,1.0,,,,open,not run with the paper's points of figure3,,
A.limit,,,,,open,a conjecture,,
"""


def test_the_published_page_says_once_why_another_run_decides_nothing():
    table = pd.read_csv(io.StringIO(OTHER_RUN), dtype={"printed": str}).fillna({"printed": "", "note": ""})
    text = page.markdown(table, {}, "Heading")
    assert text.lower().count("not run with") == 2
    assert "**Not run with the paper's numbers of datasets and releases: 2 open.**" in text
    assert "- A.F1.sd_F.min: over epsilon > 0." in text
    assert "4 open." in text
    decided = page.markdown(table[table["id"] == "A.limit"], {}, "Heading")
    assert "**" not in decided


DECIDED = """id,printed,reproduced,low,high,verdict,note,expected,same_as
A.one,1,1,,,agrees,,,
A.two,1,2,,,deviates,,,
A.three,2,1,,,deviates,one fact with A.two,,A.two
A.four,2,1,,,deviates,,,
B.n,3,3,,,identity,,,
"""


def test_identities_are_counted_apart_and_deviations_as_facts():
    table = pd.read_csv(io.StringIO(DECIDED), dtype={"printed": str}).fillna({"note": "", "same_as": ""})
    counted = "1 agrees; 3 deviates, which are 2 facts; apart from these 1 by identity."
    text = page.markdown(table, {}, "Heading")
    assert counted in text
    assert "- A.two, A.three: one fact." in text
    # A row whose other one agrees is a fact of its own.
    table.loc[1, "verdict"] = "agrees"
    text = page.markdown(table, {}, "Heading")
    assert "2 agrees; 2 deviates; apart from these 1 by identity." in text
    assert ": one fact." not in text
