"""Every rule has tests that name it, and no board is wired into the engine."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import branchline
from branchline import Game, builtin_boards, load_board
from branchline.core.catalogue import rule_ids, rule_text

RULE_TESTS = Path(__file__).parent / "rules"
SOURCES = Path(branchline.__file__).parent
BOARD_FREE = ("core", "engine", "rules", "bots")


def ids_of(node: ast.expr) -> list[str]:
    """The ids in `pytest.mark.rule(...)`; none if the expression is something else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return []
    owner = node.func.value
    if node.func.attr != "rule" or not isinstance(owner, ast.Attribute) or owner.attr != "mark":
        return []
    return [ast.literal_eval(argument) for argument in node.args]


def marks_of(source: str) -> dict[str, list[str]]:
    """The rules that each test of a file names."""
    marks: dict[str, list[str]] = {}

    def visit(body: list[ast.stmt], inherited: list[str]) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                visit(node.body, inherited + [i for d in node.decorator_list for i in ids_of(d)])
            elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                own = [i for d in node.decorator_list for i in ids_of(d)]
                marks[node.name] = inherited + own

    tree = ast.parse(source)
    shared: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            values = node.value.elts if isinstance(node.value, ast.List) else [node.value]
            shared += [i for value in values for i in ids_of(value)]
    visit(tree.body, shared)
    return marks


@cache
def marks_by_file() -> dict[str, dict[str, list[str]]]:
    files = sorted(RULE_TESTS.glob("test_*.py"))
    return {file.name: marks_of(file.read_text(encoding="utf-8")) for file in files}


def code_of(source: str) -> str:
    """A module without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[0] = ast.Pass()
    return ast.unparse(tree)


def board_words() -> dict[str, re.Pattern[str]]:
    """For each board of ours, its id and its names, as whole words in any spelling."""
    words: dict[str, re.Pattern[str]] = {}
    for board in builtin_boards():
        names = {board, load_board(board).named("en"), load_board(board).named("fr")}
        parts = ["[ _-]?".join(re.split("[ _-]", name.lower())) for name in names]
        words[board] = re.compile(f"(?<![a-z])({'|'.join(parts)})(?![a-z])", re.IGNORECASE)
    return words


@pytest.mark.parametrize("rule", rule_ids())
def test_a_rule_has_tests_that_name_it(rule: str) -> None:
    named = [ids for marks in marks_by_file().values() for ids in marks.values() if rule in ids]
    assert named, f"no test in tests/rules is marked with {rule}"


def test_tests_name_only_rules_of_the_catalogue() -> None:
    known = set(rule_ids())
    unknown = [
        f"{file}::{test}: {rule}"
        for file, marks in marks_by_file().items()
        for test, ids in marks.items()
        for rule in ids
        if rule not in known
    ]
    assert unknown == []


def test_no_test_hides_another_of_the_same_name() -> None:
    for file in sorted(RULE_TESTS.glob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert sorted(names) == sorted(set(names)), file.name


def test_the_reader_of_marks_finds_them_where_they_can_stand() -> None:
    source = """
import pytest
pytestmark = pytest.mark.rule("A-1")

@pytest.mark.rule("A-2", "A-3")
@pytest.mark.parametrize("x", [1])
def test_one(x): ...

@pytest.mark.rule("A-4")
class TestMore:
    def test_two(self): ...

@pytest.mark.rule("A-5")
def helper(): ...
"""
    assert marks_of(source) == {"test_one": ["A-1", "A-2", "A-3"], "test_two": ["A-1", "A-4"]}


@pytest.mark.parametrize("package", BOARD_FREE)
def test_no_board_is_named_in_code_that_serves_all_boards(package: str) -> None:
    files = sorted((SOURCES / package).glob("**/*.py"))
    assert files or package == "bots"
    words = board_words()
    found = [
        f"{file.relative_to(SOURCES)}: {match.group()}"
        for file in files
        for pattern in words.values()
        for match in pattern.finditer(code_of(file.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_the_search_for_boards_would_find_one() -> None:
    words = board_words()
    source = '"""Iberia."""\ndef f(x):\n    "On the nordic board."\n    return x == "south_korea"'
    code = code_of(source)
    assert [board for board, word in words.items() if word.search(code)] == ["south_korea"]
    assert words["new_york"].search("NEW_YORK = 1")
    assert words["new_york"].search("class NewYork: ...")
    assert not words["usa"].search("usable = 1")


@pytest.mark.parametrize("board", builtin_boards())
def test_the_rules_of_a_board_cite_only_what_governs_it(board: str) -> None:
    strangers = [
        f"{rule.name} cites {rule.cite}"
        for rule in Game(board, load_board(board).seats_min).rules
        if board not in rule_text(rule.cite, "en").boards
    ]
    assert strangers == []
