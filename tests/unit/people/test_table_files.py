"""How tables are written: what is found out, what is stated, and what is refused because two ways would do."""

import codecs
import csv
import gzip
import io

import pytest

from disclosure.numerics.errors import DomainError
from disclosure.people import sources, table_files
from disclosure.people.queries import parse_column
from disclosure.people.reading import Reading, read
from disclosure.people.table_files import NOTHING, Stated

ROWS = [
    ["name", "height", "weight"],
    ["Ann, or Anna", "1.5", "60"],
    ['the "tall" one', "2.25", "90.5"],
    ["Zoë", "1.75", "70"],
]
NAMES = ["height", "weight"]
VALUES = [[1.5, 60], [2.25, 90.5], [1.75, 70]]


def written(separator=",", decimal=".", **options):
    """The rows as text; options are those of `csv.writer`."""
    file = io.StringIO()
    body = [[row[0], *(cell.replace(".", decimal) for cell in row[1:])] for row in ROWS]
    csv.writer(file, delimiter=separator, **options).writerows(body)
    return file.getvalue()


def values(path, stated=NOTHING):
    with sources.opened(path, NAMES, stated) as source:
        places = [source.header.index(name) for name in NAMES]
        rows = [[float(row[place].replace(source.decimal, ".")) for place in places] for row in source.rows]
        return rows, source.format


@pytest.fixture
def file(tmp_path):
    def write(content, name="people.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("separator", "decimal", "said"),
    [
        (",", ".", "comma, decimal point"),
        (";", ",", "semicolon, decimal comma"),
        (";", ".", "semicolon, decimal point"),
        ("\t", ".", "tab, decimal point"),
        ("\t", ",", "tab, decimal comma"),
        ("|", ".", "bar, decimal point"),
        (" ", ".", "space, decimal point"),
    ],
)
def test_separators_and_decimal_signs_are_found(file, separator, decimal, said, quoting, ends):
    text = written(separator, decimal, quoting=quoting, lineterminator=ends)
    assert values(file(text)) == (VALUES, f"UTF-8, cells separated by {said}")


@pytest.mark.parametrize(
    ("encoding", "mark", "said"),
    [
        ("utf-8", b"", "UTF-8"),
        ("utf-8", codecs.BOM_UTF8, "UTF-8"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "UTF-16"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "UTF-16"),
        ("utf-32-le", codecs.BOM_UTF32_LE, "UTF-32"),
        ("cp1252", b"", "CP1252"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_encodings_are_found_compressed_or_not(file, encoding, mark, said, packed):
    content = mark + written(";", ",").encode(encoding)
    rows, form = values(file(gzip.compress(content) if packed else content))
    assert rows == VALUES
    assert form == f"{'compressed by gzip, ' * packed}{said}, cells separated by semicolon, decimal comma"


def test_a_spreadsheet_declares_its_separator(file):
    assert values(file("sep=;\r\n" + written(";", ",")))[0] == VALUES
    # Lines are counted from the first line of the file.
    with pytest.raises(DomainError, match=r"row 2 \(line 4\): height is 'tall'"):
        read(file("sep=;\nheight;weight\n1;2\ntall;3\n"), [parse_column("height:0:9")])


def test_rows_that_have_names_are_those_of_r(file):
    text = '"height" "weight"\n"1" 1.5 60\n"2" 2.25 90.5\n"3" 1.75 70\n'
    rows, form = values(file(text))
    assert rows == VALUES
    assert form == "UTF-8, cells separated by space, decimal point, rows named"
    assert values(file(text.replace(" ", ",")))[0] == VALUES
    # With a name for that column, as `write.csv` has it, it is one like any other.
    assert values(file('"",' + text.replace(" ", ",")))[0] == VALUES


def test_blanks_around_cells_and_quotes_are_no_part_of_them(file):
    assert values(file('name, "height" , weight\n"Ann", "1.5", 60\n'.replace('" ,', '",')))[0] == [[1.5, 60]]


def test_empty_lines_are_no_rows(file):
    assert values(file("\n\nheight,weight\n\n1.5,60\n\n"))[0] == [[1.5, 60]]


def test_a_single_column_needs_no_separator(file):
    path = file("height\n1.5\n2\n")
    with sources.opened(path, ["height"], Stated()) as source:
        assert list(source.rows) == [["1.5"], ["2"]]
    path = file("height\n1,5\n2,25\n")
    with sources.opened(path, ["height"], Stated()) as source:
        assert (list(source.rows), source.decimal) == ([["1,5"], ["2,25"]], ",")


def test_names_decide_between_separators_that_both_fit(file):
    text = "height;weight,kg;m\n1;2,3;4\n"
    with sources.opened(file(text), ["weight,kg"], Stated()) as source:
        assert source.header == ["height", "weight,kg", "m"]
    with sources.opened(file(text), ["height;weight"], Stated()) as source:
        assert source.header == ["height;weight", "kg;m"]
    with pytest.raises(DomainError, match="could be separated by comma or semicolon; state which by --separator"):
        table_files.find(file(text), [])
    assert table_files.find(file(text), [], Stated("semicolon")).separator == ";"


@pytest.mark.parametrize("sign", ["semicolon", ";"])
def test_what_is_stated_is_taken(file, sign):
    text = "height;weight\n1;2\n"
    assert table_files.find(file(text), [], Stated(sign)).separator == ";"
    with pytest.raises(DomainError, match="height is not a column; there are height;weight"):
        values(file(text), Stated("comma"))
    assert table_files.find(file(written()), NAMES, Stated(encoding="latin-1")).encoding == "iso8859-1"


@pytest.mark.parametrize(
    ("content", "stated", "named"),
    [
        (b"a,b\n\x81,1\n", Stated(), "is in neither UTF-8 nor cp1252; state its --encoding"),
        ("a,b\n1,2\n".encode("utf-16-le"), Stated(), "has bytes of 0, as UTF-16 has without its mark"),
        (b"a,b\n\xe9,1\n", Stated(encoding="utf-8"), "is not in utf-8, by what stands in line 2"),
        ("a,b\nü".encode()[:-1], Stated(encoding="utf-8"), "is not in utf-8, by what stands at its end"),
        (b"a,b\n", Stated(encoding="utf-9"), "encoding = 'utf-9' is not known"),
        (b"a,b\n", Stated(encoding="base64"), "encoding = 'base64' is not known"),
        (b"a,b\n", Stated(separator="dot"), "separator = 'dot' is none of comma, semicolon, tab, bar, space"),
        (b"a,b\n", Stated(decimal=";"), "decimal = ';' is none of point, comma"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-12], Stated(), "is compressed by gzip, and damaged"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(file, content, stated, named):
    with pytest.raises(DomainError) as caught:
        table_files.find(file(content), [], stated)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_columns_may_hold_books_and_quoted_line_ends(file):
    book = "word, " * 50_000
    text = f'height,weight,life\n1.5,60,"{book}"\n2.25,90.5,"two\nlines"\n1.75,70,\n'
    assert values(file(text))[0] == VALUES
    # The quoted cell goes on beyond the rows that were looked at.
    lines = "\n".join(map(str, range(3000)))
    assert values(file(f'height,weight,life\n1.5,60,"{lines}"\n'))[0] == [[1.5, 60]]


def test_parquet_needs_pyarrow_and_says_so(file):
    path = file(b"PAR1", "people.parquet")
    with pytest.raises(DomainError, match=r"pyarrow|is no Parquet file"):
        values(path)
    with pytest.raises(DomainError, match="has no separator, decimal sign or encoding; state none"):
        values(path, Stated("comma"))


def test_parquet_is_read_where_pyarrow_is_there(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "people.parquet"
    table = {"height": [1.5, None, 2.0], "smoker": [True, False, None], "region": ["north", "south", None]}
    parquet.write_table(pyarrow.table(table), path)
    columns = [parse_column(text) for text in ("height:0:9", "smoker", "region=north")]
    with pytest.raises(DomainError, match="height is empty"):
        read(path, columns)
    assert read(path, columns[:1], Reading(missing="drop")).values.tolist() == [[1.5], [2.0]]
