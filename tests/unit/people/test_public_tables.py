"""Tables that others published, as they are: each is read as pandas reads it, or refused with what to do about it.

The person whom an assessment finds most exposed is the one of whom the ratio rises most if everybody and every dataset are
looked at. What the tables are, and whose: tests/data/tables/README.md.
"""

import pathlib
from typing import NamedTuple

import pytest

from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import DomainError
from disclosure.people import reading
from disclosure.people.exposure import exposures
from disclosure.people.reading import PLAIN, Reading
from disclosure.people.summary import by_exposure
from disclosure.people.table_files import Stated
from disclosure.people.targets import affordable
from tests.unit.people.plain import PlainRatios

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "data" / "tables"
COMMA, SEMICOLON, TAB, SPACE = (
    f"UTF-8, cells separated by {separator}, decimal point" for separator in ("comma", "semicolon", "tab", "space")
)
DROP = Reading(missing="drop")
# The ratio rises by no more than a factor except with this probability; and the relative error of a factor.
PROBABILITY, ROUNDING = 1e-3, 1e-9


class Table(NamedTuple):
    """A table that is read: people and sums of the columns are those of pandas."""

    file: str
    columns: list[str]
    people: int
    sums: list[float]
    format: str = COMMA
    reading: Reading = PLAIN
    query: str = "mean"


READ = [
    Table("anderson.csv", ["logWBC:0:10", "sex"], 24, [63.01, 11], SPACE),
    Table("anes96.csv", ["age:0:120", "vote"], 24, [970, 4], TAB),
    Table("canadian_senators.csv", ["diff_days:0:30000"], 30, [187220]),
    Table("canadian_senators.csv", ["observed", "Province / Territory=Quebec"], 30, [28, 7], query="count"),
    Table("danish_data.csv", ["ibo:0:1"], 30, [5.0078585]),
    Table("elnino.dat", ["NINO3:0:40", "NINO4:0:40"], 24, [613.66, 670.2], SPACE, query="sum"),
    Table("holly_molly_polly.tsv", ["Start(days):0:1000", "T:0:1000"], 7, [210, 240], f"{SPACE}, rows named"),
    Table(
        "iris.csv.gz",
        ["sepal_length:0:20", "species=setosa"],
        30,
        [180.6, 10],
        f"compressed by gzip, {COMMA}",
        PLAIN,
        "identity",
    ),
    Table("lung.csv", ["wt.loss:-100:100", "sex=2"], 28, [355, 7], reading=DROP),
    Table("mar_filardo.csv", ["dlip:-10:10"], 30, [6.922426175]),
    Table("mar_filardo.csv", ["duration0:0:10000"], 25, [27091.650795], reading=DROP),
    Table("merrell1955.csv", ["age_at_diagnosis:0:120"], 29, [1126], reading=DROP),
    Table(
        "merrell1955.csv",
        ["time_elapsed_between_estimated_onset_and_diagnosis_(months):0:1200", "dead"],
        30,
        [2375, 10],
        query="sum",
    ),
    Table("mice.csv", ["l:0:2000"], 26, [6062]),
    Table("modechoice.csv", ["ttme:0:200", "choice"], 32, [1155, 8], SEMICOLON),
    Table("multicenter_aids_cohort.tsv", ["T:0:20", "AIDSY:1970:2010"], 24, [106.967, 47826.898], TAB),
    Table("nh4.csv", ["NH4.mg.per.L:0:1", "Censored"], 30, [0.639, 11]),
    Table("penguins-raw.csv", ["Body Mass (g):0:10000", "Sex=MALE"], 25, [92975, 12], reading=DROP),
    Table("sprint.csv", ["Time:5:20", "Medal=GOLD"], 30, [299.24, 10]),
    Table("stanford_heart.csv", ["age:-60:60", "transplant"], 24, [-6.524298425735765, 8]),
    Table("strikes.csv", ["duration:0:1000", "iprod:-1:1"], 24, [1348, -0.16672]),
]

REFUSED = [
    ("breast_cancer.csv", ["radius:0:50"], "radius is not a column; there are 569, 30, malignant, benign"),
    ("canadian_senators.csv", ["start_date:0:9"], "start_date is '1887-05-12 00:00:00' (is a date)"),
    ("canadian_senators.csv", ["Reason=Death"], "Reason is not a column, but reason is; there are Name,"),
    ("divorce.dat", ["years:0:80"], "row 1 (line 2) has 7 cells; the header has 6; a cell with the separator"),
    ("elnino.dat", ["ANOM:-9:9"], "ANOM stands twice in the header; rename one"),
    ("gehan.dat", ["1:0:50"], "begins with 2, 6, 1, which are numbers; write a line above that names the columns"),
    ("lung.csv", ["sex"], "sex is '2', neither yes nor no"),
    ("lung.csv", ["sex"], "for one category write sex=2, for numbers sex:LOW:HIGH"),
    ("lung.csv", ["wt.loss:-100:100"], "wt.loss is empty"),
    ("lung.csv", ["wt.loss:-100:100"], "leave people with missing values out by --missing drop"),
    ("mice.csv", ["u:0:2000"], "row 10 (line 11): u is 'Inf' (is not finite)"),
    ("multicenter_aids_cohort.tsv", ["T:0:1e6"], "T has 7.575, which could be written with a sign between thousands"),
    ("nh4.csv", ["NH4.Orig.mg.per.L:0:1"], "NH4.Orig.mg.per.L is '<0.006'"),
    ("penguins-raw.csv", ["Sex=MALE"], "Sex=MALE is 'NA', missing"),
    (
        "unemp.csv",
        ["Value:0:100"],
        "names its columns in line 10; a table begins with that line, so take out the 9 above it",
    ),
    ("wind.csv", ["strength:0:20"], "strength is '0-1' (is a range)"),
    ("wind.csv", ["strength:0:20"], "for one category write strength=0-1"),
]


@pytest.fixture(params=READ, ids=lambda table: f"{table.file} {' '.join(table.columns)}")
def table(request):
    return request.param


def test_public_tables_are_read_as_pandas_reads_them(table):
    records, _ = reading.read_release(FOLDER / table.file, table.query, table.columns, 5, table.reading)
    assert len(records) == table.people
    assert records.values.sum(axis=0).tolist() == pytest.approx(table.sums, rel=1e-12)
    assert records.format == table.format


@pytest.mark.parametrize(("file", "columns", "said"), REFUSED)
def test_public_tables_are_refused_with_what_to_do(file, columns, said):
    with pytest.raises(DomainError) as caught:
        reading.read_release(FOLDER / file, "mean", columns, 5)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_three_decimals_everywhere_are_fractions_where_that_is_stated():
    stated = Reading(stated=Stated(decimal="point"))
    records, _ = reading.read_release(FOLDER / "multicenter_aids_cohort.tsv", "mean", ["T:0:1e6"], 5, stated)
    assert records.values.sum() == pytest.approx(106.967, rel=1e-12)


def test_every_table_is_there_and_has_a_source():
    described = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in FOLDER.iterdir()} - {"README.md"}
    assert len(files) >= 20
    assert files == {table.file for table in READ} | {file for file, _, _ in REFUSED}
    assert all(f"| {file} |" in described for file in files)


def test_the_most_exposed_person_is_the_one_that_looking_at_everybody_finds(table):
    sample = table.people - 2
    records, query = reading.read_release(FOLDER / table.file, table.query, table.columns, sample, table.reading)
    sigma = gaussian.calibrate(1.0, 0.01, query.sensitivity, definition="probabilistic")
    targets, datasets = affordable(1, records, sample)
    people = exposures(records, query, sample, sigma, 1.0, targets, datasets, 1)
    rows = [records.row(place) for place in range(len(records))]
    named, last = (rows.index(people["person"][place]) for place in by_exposure(people)[[0, -1]])
    ratios = [PlainRatios(records, query, sample, sigma, place) for place in range(len(records))]
    factor = ratios[named].rise(PROBABILITY)
    assert max(ratio.exceeding(factor * (1 + ROUNDING)) for ratio in ratios) <= PROBABILITY
    assert ratios[named].exceeding(ratios[last].rise(PROBABILITY)) > PROBABILITY
