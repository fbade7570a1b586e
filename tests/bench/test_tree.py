"""Sizes are counted as a reader of the folders would."""

from __future__ import annotations

from pathlib import Path

from bench.tree import longest, table


def a_tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_each_folder_has_a_row_with_its_files_lines_and_tests(tmp_path: Path) -> None:
    root = a_tree(
        tmp_path,
        {
            "tests/conftest.py": "a = 1\n",
            "tests/server/test_hub.py": "def test_a(): ...\nasync def test_b(): ...\ndef other(): ...\n",
            "tests/server/drawing.txt": "not source\n",
            "web/main.js": "1\n2\n",
        },
    )
    rows = [each.split() for each in table(root, ["tests", "web"])]
    assert rows == [
        ["tests", "2", "4", "2"],
        ["(root)", "1", "1"],
        ["server/", "1", "3", "2"],
        ["web", "1", "2"],
        ["(root)", "1", "2"],
    ]


def test_the_longest_files_come_first(tmp_path: Path) -> None:
    root = a_tree(tmp_path, {"a/x.py": "1\n", "a/y.css": "1\n" * 3, "b/z.py": "1\n" * 2, "c/w.py": "1\n" * 9})
    assert [each.split()[1] for each in longest(root, ["a", "b"], 2)] == ["a/y.css", "b/z.py"]
