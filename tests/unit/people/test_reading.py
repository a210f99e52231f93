"""Tables of people: what is read, and what is refused."""

import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import queries, reading
from disclosure.people.queries import Column
from disclosure.people.reading import Reading
from disclosure.people.table_files import NOTHING, Stated

A, B = Column("a", 0.0, 10.0), Column("b", -1.0, 1.0)
TABLE = "id,b,a,w\n1,0.5,3,1\n2,-1,10,2\n3,1,0,0.5\n"


@pytest.fixture
def table(tmp_path):
    def write(content=TABLE, encoding="utf-8"):
        path = tmp_path / "people.csv"
        path.write_text(content, encoding=encoding, newline="")
        return path

    return write


def test_columns_are_found_by_name(table):
    people = reading.read(table(), [A, B], Reading(weights="w"))
    assert people.values.tolist() == [[3, 0.5], [10, -1], [0, 1]]
    assert people.weights.tolist() == [1, 2, 0.5]
    assert people.columns == (A, B)
    assert people.clipped == 0


@pytest.mark.parametrize(
    "content",
    [TABLE.replace("\n", "\r\n"), TABLE[:-1], TABLE + "\n\n", "\ufeff" + TABLE, TABLE.replace("a,w", ' "a" , w')],
)
def test_ways_to_write_a_table(table, content):
    assert reading.read(table(content.replace(' "a" ', '"a"')), [A, B]).values.shape == (3, 2)


def test_values_outside_are_clipped_only_on_request(table):
    path = table(TABLE.replace("10,2", "99,2").replace("0.5,3", "-7,3"))
    with pytest.raises(DomainError, match=r"a is outside 0 to 10 in row 2 \(line 3\): 99; .* --clip"):
        reading.read(path, [A, B])
    people = reading.read(path, [A, B], Reading(clip=True))
    assert people.clipped == 2
    assert people.values.tolist() == [[3, -1], [10, -1], [0, 1]]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (TABLE.replace("3,1\n", ",1\n"), "row 1 (line 2): a is empty"),
        (TABLE.replace("3,1\n", "tall,1\n"), "row 1 (line 2): a is 'tall'"),
        (TABLE.replace("3,1\n", "nan,1\n"), "row 1 (line 2): a is 'nan', missing"),
        (TABLE.replace("3,1\n", "inf,1\n"), "row 1 (line 2): a is 'inf' (is not finite)"),
        (TABLE.replace("3,1\n", '"3,5",1\n'), "row 1 (line 2): a is '3,5' (has a comma"),
        (TABLE.replace("3,1\n", "1_0,1\n"), "row 1 (line 2): a is '1_0' (has an underscore)"),
        (TABLE.replace("3,1\n", "1e999,1\n"), "row 1 (line 2): a is '1e999' (is too large"),
        (TABLE.replace("3,1\n", "\u0663,1\n"), "row 1 (line 2): a is '\u0663'"),
        (TABLE.replace("3,1\n", "3\n"), "row 1 (line 2) has 3 cells; the header has 4"),
        (TABLE.replace("a,w", "c,w"), "a is not a column; there are id, b, c, w"),
        (TABLE.replace("id", "a"), "a stands twice in the header"),
        (TABLE.replace(",", "\u00a6"), "a is not a column; there are id\u00a6b\u00a6a\u00a6w"),
        ("id,b,a,w\n", "has no rows"),
        ("", "is empty; expected a header with a, b"),
        (
            TABLE + '4,"',
            "is no CSV table (unexpected end of data in line 5); quotes stand around a whole cell, and within it twice",
        ),
    ],
)
def test_what_is_no_table_is_refused_by_row(table, content, named):
    with pytest.raises(DomainError) as caught:
        reading.read(table(content), [A, B])
    assert named in str(caught.value)
    assert str(caught.value).startswith(str(table(content)))
    assert "\n" not in str(caught.value)


def test_a_row_after_an_empty_line_keeps_its_line(table):
    with pytest.raises(DomainError, match=r"row 1 \(line 4\)"):
        reading.read(table("id,b,a,w\n\n\n1,x,3,1\n"), [A, B])


@pytest.mark.parametrize(
    ("cell", "said", "hint"),
    [
        ("2020-01-31", "(is a date)", "write the dates of a as numbers, of years or of days since one of them"),
        ("31.01.2020", "(is a date)", "write the dates of a as numbers"),
        ("90.5%", "(has a percent sign)", "correct these cells, or leave their rows out"),
        ("$90", "(has a sign of a currency)", "correct these cells"),
        ("90 \u20ac", "(has a sign of a currency)", "correct these cells"),
        ("1'090.5", "(has a sign between thousands)", "correct these cells"),
        (
            '"1,090"',
            "(has a comma)",
            "state --decimal comma if that is the decimal sign of a, or take signs between thousands out",
        ),
        ("\u22125", "(has a dash in place of the sign -)", "correct these cells"),
        ("30-39", "(is a range)", "or for one category write a=30-39"),
        ("tall", "a is 'tall' ", "or for one category write a=tall"),
        ("#N/A", "a is '#N/A', missing", "leave people with missing values out by --missing drop"),
    ],
)
def test_what_is_no_number_is_told_what_to_do(table, cell, said, hint):
    with pytest.raises(DomainError) as caught:
        reading.read(table(f"a,b\n1,0\n{cell},0\n"), [A])
    assert said in str(caught.value)
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("cell", "said"),
    [("1.090,5", "has a point"), ("1.090", "has a point"), ("31.01.2020", "is a date"), ("5%", "percent")],
)
def test_where_the_decimal_sign_is_a_comma_a_point_is_named(table, cell, said):
    with pytest.raises(DomainError, match=rf"row 2 \(line 3\): a is '{cell}' \(.*{said}"):
        reading.read(table(f"a;b\n1,5;0\n{cell};0\n"), [A], Reading(stated=Stated(decimal="comma")))


def test_what_to_do_is_said_once_for_each_column(table):
    content = "a,smoker\n,1\nx,2\ny,3\n,\n"
    with pytest.raises(DomainError) as caught:
        reading.read(table(content), [A, queries.parse_column("smoker")])
    hints = str(caught.value).partition("); ")[2].split("; ")
    assert [hint[:20] for hint in hints] == ["leave people with mi", "correct these cells,"]
    with pytest.raises(DomainError, match=r"or take these for one more category by --missing category$"):
        reading.read(table("a,smoker\n1,1\n2,\n"), [queries.parse_column("smoker")])


def test_a_total_below_the_people_is_none_of_them(table):
    with pytest.raises(
        DomainError, match=r"row 3 \(line 4\): 13; if the last row is a total leave it out, otherwise state"
    ):
        reading.read(table("a,b\n9,0\n4,0\n13,0\n"), [A])
    with pytest.raises(DomainError, match=r"row 2 \(line 3\): 14; state the range"):
        reading.read(table("a,b\n9,0\n14,0\n3,0\n"), [A])


def test_a_table_is_read_for_some_column(table):
    with pytest.raises(DomainError, match="columns names none"):
        reading.read(table(), [])


def test_many_wrong_rows_are_counted(table):
    content = "a\n" + "x\n" * 12
    with pytest.raises(DomainError, match=r"row 5 \(line 6\): a is 'x' and 7 more \(UTF-8"):
        reading.read(table(content), [A])


def test_a_wrong_cell_far_down_is_named_by_its_row(table):
    rows = 100
    content = "a\n" + "1\n" * rows + "1_0\n" + "2\n" * 5
    with pytest.raises(DomainError, match=rf"row {rows + 1} \(line {rows + 2}\): a is '1_0'"):
        reading.read(table(content), [A], block=40)
    assert reading.read(table(content.replace("1_0", "10")), [A], block=40).values.sum() == rows + 20


def test_how_a_table_is_written_is_found_and_said(table):
    read = reading.read(table(TABLE + "é,0,1,1\n", "latin-1"), [A])
    assert read.format == "CP1252, cells separated by comma, decimal point"
    assert len(read) == 4


def test_a_decimal_comma_is_read_as_such(table):
    content = TABLE.replace(",", ";").replace("0.5", "0,5").replace("-1", "-1,0")
    for stated in (Stated(), Stated("semicolon", "comma"), Stated(";", ",")):
        read = reading.read(table(content), [A, B], Reading(stated=stated))
        assert read.values.tolist() == [[3, 0.5], [10, -1], [0, 1]]
        assert read.format == "UTF-8, cells separated by semicolon, decimal comma"
    with pytest.raises(DomainError, match="b is '0,5' \\(has a comma"):
        reading.read(table(content), [A, B], Reading(stated=Stated(decimal="point")))


def thousands(number, low, high, stated=NOTHING):
    """What the column of numbers is read as; the table's cells are separated so that both signs may stand in a number."""

    def write(path):
        path.write_text(f"a;b\n12;1\n{number};0\n500;0\n", encoding="utf-8")
        return reading.read(path, [Column("a", low, high)], Reading(stated=stated)).values[1, 0]

    return write


@pytest.mark.parametrize("number", ["139.750", "1.139.750", "-139.750", "139,750"])
def test_a_sign_that_may_stand_between_thousands_is_refused(tmp_path, number):
    with pytest.raises(DomainError, match=r"could be written with a sign between thousands|a is '1.139.750'"):
        thousands(number, -1e9, 1e9)(tmp_path / "people.csv")


@pytest.mark.parametrize(
    ("number", "low", "high", "stated", "value"),
    [
        ("139.750", 0.0, 1000.0, Stated(), 139.75),  # 139750 is outside the range
        ("139.750", 0.0, 1e9, Stated(decimal="point"), 139.75),
        ("139,750", 0.0, 1e9, Stated(decimal="comma"), 139.75),
        ("0.750", 0.0, 1e9, Stated(), 0.75),  # thousands do not begin with 0
        ("139.75", 0.0, 1e9, Stated(), 139.75),
        ("1139.750", 0.0, 1e9, Stated(), 1139.75),
        ("139750", 0.0, 1e9, Stated(), 139750),
    ],
)
def test_fractions_that_are_no_thousands_are_read(tmp_path, number, low, high, stated, value):
    assert thousands(number, low, high, stated)(tmp_path / "people.csv") == value


def test_one_fraction_that_is_none_of_thousands_settles_the_column(table):
    content = "a\n" + "139.750\n" * 5 + "1.5\n" + "139.750\n"
    assert reading.read(table(content), [Column("a", 0.0, 1e9)], block=2).values[0, 0] == 139.75


def test_yes_and_no_and_categories_are_ones_and_zeros(table):
    content = "smoker,region,age\nyes,north,30\nNo,south,40\nTRUE, north ,50\n0.0,east,60\n"
    columns = [queries.parse_column(text) for text in ("smoker", "region=north", "age:0:100")]
    read = reading.read(table(content), columns)
    assert read.values.tolist() == [[1, 1, 30], [0, 0, 40], [1, 1, 50], [0, 0, 60]]
    assert queries.linear("count", columns[:2], 4).sensitivity == pytest.approx(2**0.5)
    with pytest.raises(
        DomainError, match=r"region is 'north', neither yes nor no.*column 'region' has no range.*write region=north"
    ):
        reading.read(table(content), [queries.parse_column("region")])
    with pytest.raises(DomainError, match="region=west is the category of nobody; there are east, north, south"):
        reading.read(table(content), [queries.parse_column("region=west")])


@pytest.mark.parametrize("absent", ["", "NA", " n/a ", "NaN", "null"])
def test_people_with_missing_values_are_refused_left_out_or_a_category(table, absent):
    content = f"a,smoker,region\n1,yes,north\n{absent},no,south\n3,{absent},north\n4,yes,{absent}\n5,no,south\n"
    columns = [queries.parse_column(text) for text in ("a:0:9", "smoker", "region=north")]
    with pytest.raises(
        DomainError, match=r"row 2 \(line 3\): a is .*row 3 \(line 4\): smoker is .*row 4 \(line 5\): region"
    ):
        reading.read(table(content), columns)
    read = reading.read(table(content), columns, Reading(missing="drop"))
    assert read.values.tolist() == [[1, 1, 1], [5, 0, 0]]
    assert read.missing == 3
    assert [read.row(place) for place in range(2)] == [1, 5]
    with pytest.raises(
        DomainError, match=r"row 2 \(line 3\): a is .*--missing category is for categories, and a has numbers"
    ):
        reading.read(table(content), columns, Reading(missing="category"))
    read = reading.read(table(content), columns[1:], Reading(missing="category"))
    assert read.values.tolist() == [[1, 1], [0, 0], [0, 1], [1, 0], [0, 0]]
    assert (read.missing, read.row(4)) == (2, 5)
    with pytest.raises(DomainError, match=r"a is outside 0 to 4 in row 5 \(line 6\): 5"):
        reading.read(table(content), [Column("a", 0.0, 4.0), *columns[1:]], Reading(missing="drop"))


def test_a_missing_value_is_no_fault_of_its_row_alone(table):
    content = "a,b\nNA,tall\n1,0\n"
    with pytest.raises(DomainError, match="b is 'tall'"):
        reading.read(table(content.replace("NA", "2")), [A, B], Reading(missing="drop"))
    assert reading.read(table(content), [A, B], Reading(missing="drop")).values.tolist() == [[1, 0]]
    with pytest.raises(DomainError, match="has no person without a missing value"):
        reading.read(table("a\nNA\n"), [A], Reading(missing="drop"))
    with pytest.raises(DomainError, match="missing = 'ignore' is none of refuse, drop, category"):
        reading.read(table(), [A], Reading(missing="ignore"))


def test_none_is_a_category_and_no_number(table):
    content = "a,drinks\n1,none\nnone,beer\n"
    assert reading.read(table(content), [queries.parse_column("drinks=none")]).values.tolist() == [[1], [0]]
    assert reading.read(table(content), [A], Reading(missing="drop")).values.tolist() == [[1]]
    assert reading.read(table("country\nNA\nDE\n"), [queries.parse_column("country=NA")]).values.tolist() == [[1], [0]]


def test_weights_are_positive_and_counts_of_zeros_and_ones(table):
    with pytest.raises(DomainError, match=r"w is not above 0 in row 3 \(line 4\): 0"):
        reading.read(table(TABLE.replace("0,0.5", "0,0")), [A], Reading(weights="w"))
    with pytest.raises(DomainError, match=r"b is neither 0 nor 1 in row 1 \(line 2\): 0.5"):
        reading.read(table(TABLE.replace("-1", "0")), [Column("b", 0.0, 1.0)], binary=True)
    with pytest.raises(DomainError, match="columns names a twice"):
        reading.read(table(), [A, A])


@pytest.mark.parametrize("weights", [("1e308", "1e308", "1e308"), ("1e-200", "1e200", "1"), ("1e-310", "1e-300", "1")])
def test_weights_of_which_no_prior_can_be_made_are_refused(table, weights):
    content = "a,w\n" + "".join(f"1,{weight}\n" for weight in weights)
    with pytest.raises(
        DomainError, match=r"w from 1e\S+ to 1\S* is too wide for priors that are floats; .* divide them"
    ):
        reading.read(table(content), [A], Reading(weights="w"))
    wide = reading.read(table("a,w\n1,1e300\n2,1\n3,2e300\n"), [A], Reading(weights="w"))
    assert wide.weights.tolist() == [1e300, 1, 2e300]


def test_a_release_is_of_the_columns_of_the_table(table):
    records, query = reading.read_release(table(), "mean", ["a:0:10", "b:-1:1"], 2, Reading(weights="w"))
    assert records.columns == (A, B)
    assert records.weights.tolist() == [1, 2, 0.5]
    assert query == queries.linear("mean", [A, B], 2)
    with pytest.raises(DomainError, match=r"a is outside 0 to 5 in row 2 \(line 3\): 10"):
        reading.read_release(table(), "sum", ["a:0:5"], 2)
    assert reading.read_release(table(), "sum", ["a:0:5"], 2, Reading(clip=True))[0].clipped == 1
    with pytest.raises(DomainError, match="a count needs a column of zeros and ones"):
        reading.read_release(table(), "count", ["b:0:1"], 2, Reading(clip=True))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ["-999", "-999"],
            "if -999 stands for a missing value, empty these cells and decide by --missing; otherwise state the",
        ),
        (["99"], "if 99 stands for a missing value"),
        (["-999", "-998"], None),
        (["98", "98"], None),
        (["99.5"], None),
    ],
)
def test_a_code_of_nines_outside_the_range_is_likely_a_missing_value(tmp_path, cells, said):
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["a", *cells, "5", "7"]), encoding="utf-8")
    with pytest.raises(DomainError) as caught:
        reading.read(path, [A])
    assert ("stands for a missing value" in str(caught.value)) == (said is not None)
    assert said is None or said in str(caught.value)
    assert "whatever the data are" in str(caught.value)
