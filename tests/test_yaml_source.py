"""YAML read strictly: every fault says file, line and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from interviewer.domain import LocalText, Model
from interviewer.yaml_source import MAX_BYTES, Source, read_yaml


class Page(Model):
    """What the tests read files into."""

    title: LocalText
    numbers: tuple[int, ...] = ()


def read(tmp_path: Path, text: str | bytes) -> Source:
    path = tmp_path / "pages" / "page.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_yaml(path)


def explained(source: Source) -> tuple[str, ...]:
    with pytest.raises(ValidationError) as caught:
        Page.model_validate(source.data)
    return source.explain(caught.value)


def test_plain_data_is_read(tmp_path: Path) -> None:
    """Maps, lists, numbers and block texts."""
    source = read(tmp_path, "a: 1\nb: [x, 2.5, true, null]\nc: |\n  two\n  lines\n")
    assert source.data == {"a": 1, "b": ["x", 2.5, True, None], "c": "two\nlines\n"}
    assert source.faults == ()


def test_the_line_of_each_field_is_known(tmp_path: Path) -> None:
    """`where` names the deepest place it knows."""
    source = read(tmp_path, "a:\n  b:\n    - x\n    - y\n")
    assert source.where(("a", "b", 1)) == "pages/page.yaml:4: a.b.1"
    assert source.where(("a", "missing")) == "pages/page.yaml:2: a.missing"
    assert source.where(()) == "pages/page.yaml:1: (file)"


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    """Some editors write one."""
    assert read(tmp_path, b"\xef\xbb\xbfa: 1\n").data == {"a": 1}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\nb: [1, 2\n", "pages/page.yaml:3: malformed YAML"),
        ("a: 1\n\tb: 2\n", "pages/page.yaml:2: malformed YAML"),
        ("a: 'open\n", "pages/page.yaml:2: malformed YAML"),
        ("a: 1\n---\nb: 2\n", "malformed YAML"),
        ("", "pages/page.yaml: the file is empty"),
        ("# only a comment\n", "pages/page.yaml: the file is empty"),
        ("a: 1\nb: 2\na: 3\n", "pages/page.yaml:3: key 'a' appears twice"),
        ("a: &x [1]\nb: *x\n", "aliases are not allowed"),
        ("a: !!python/object/apply:os.system ['true']\n", "pages/page.yaml"),
        ("a: 2026-99-99\n", "malformed YAML"),
    ],
)
def test_a_faulty_file_is_a_fault_not_an_exception(tmp_path: Path, text: str, fault: str) -> None:
    """One line that names the file, its line and the problem."""
    source = read(tmp_path, text)
    assert len(source.faults) == 1
    assert fault in source.faults[0]


def test_python_tags_build_nothing(tmp_path: Path) -> None:
    """Only plain data comes out of a file."""
    source = read(tmp_path, f"a: !!python/object/apply:pathlib.Path.touch ['{tmp_path}/made']\n")
    assert source.faults
    assert not (tmp_path / "made").exists()


def test_an_expansion_bomb_is_refused_at_once(tmp_path: Path) -> None:
    """Nine aliases of nine aliases would be a billion values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    assert all("aliases are not allowed" in fault for fault in read(tmp_path, "\n".join(lines)).faults)


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    """Ten thousand brackets end in a fault, not in a crash."""
    assert read(tmp_path, "[" * 10_000).faults


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    """The fault says how large it is and how large it may be."""
    (fault,) = read(tmp_path, "a: " + "x" * MAX_BYTES).faults
    assert fault == f"pages/page.yaml: {MAX_BYTES + 3} bytes, at most {MAX_BYTES} are read"


@pytest.mark.parametrize("raw", [b"a: \xff\xfe\n", b"a: \x00\n", b"\x80"])
def test_what_is_no_utf8_text_is_refused(tmp_path: Path, raw: bytes) -> None:
    """Bytes, nul characters and stray continuation bytes."""
    (fault,) = read(tmp_path, raw).faults
    assert "pages/page.yaml" in fault


def test_a_missing_file_is_a_fault(tmp_path: Path) -> None:
    """So is a folder."""
    assert "pages/page.yaml" in read_yaml(tmp_path / "pages" / "page.yaml").faults[0]
    assert read_yaml(tmp_path).faults


def test_each_invalid_field_is_explained(tmp_path: Path) -> None:
    """File, line, field, what is wrong, what was found; all of them at once."""
    source = read(tmp_path, "title:\n  en: one\n  ru: ' '\nnumbers:\n  - 1\n  - two\nextra: 1\n")
    assert explained(source) == (
        "pages/page.yaml:3: title.ru: String should have at least 1 character (found ' ')",
        "pages/page.yaml:2: title.zh: Field required",
        "pages/page.yaml:6: numbers.1: Input should be a valid integer, unable to parse string as an integer "
        "(found 'two')",
        "pages/page.yaml:7: extra: Extra inputs are not permitted (found 1)",
    )


def test_a_file_that_is_no_map_is_explained(tmp_path: Path) -> None:
    """The whole file is at fault."""
    (fault,) = explained(read(tmp_path, "- 1\n"))
    assert fault.startswith("pages/page.yaml:1: (file): ")


def test_a_found_value_is_cut(tmp_path: Path) -> None:
    """A fault stays one readable line."""
    (fault,) = explained(read(tmp_path, f"title: {{en: a, ru: b, zh: c}}\nnumbers: [{'x' * 5000}]\n"))
    assert len(fault) < 300


@given(raw=st.binary(max_size=200))
def test_no_bytes_make_it_raise(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    """Whatever a file holds, the answer is data or faults."""
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(raw)
    source = read_yaml(path)
    assert source.faults or source.data is not None or raw.strip()
