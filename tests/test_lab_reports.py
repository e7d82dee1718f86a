"""Reports and commands: everything is there, in both languages, and in numbers as well."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import branchline
from branchline.bots.registry import split_bots
from branchline.cli import run as run_command
from branchline.core.catalogue import LANGUAGES
from branchline.lab.arena.contest import run
from branchline.lab.arena.league import markdown
from branchline.lab.arena.league import run as run_league
from branchline.lab.arena.sprt import Sprt
from branchline.lab.arena.standings import ArenaResult, analyse
from branchline.lab.numbers import grouped, number, percent
from branchline.lab.report.arena_page import arena_page
from branchline.lab.report.board_drawing import draw_board, place_labels, project
from branchline.lab.report.study_page import study_page
from branchline.lab.requests import contest, league
from branchline.lab.requests import survey as requested_survey
from branchline.lab.run.line_up import open_board
from branchline.lab.study import survey
from branchline.lab.study.analysis import StudyResult, distances, shortest_ways
from branchline.lab.study.analysis import analyse as analyse_survey

pytest.importorskip("numpy")
pytest.importorskip("jinja2")

VOID = {"meta", "br", "link", "img", "input"}


class Page(HTMLParser):
    """Checks that every element is closed, and collects what matters."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return plain(" ".join(self.words))


def plain(text: str) -> str:
    """A text without line breaks; spaces that may not break stay."""
    return re.sub(r"[ \n]+", " ", text)


@pytest.fixture(scope="module")
def arena_result() -> ArenaResult:
    whole = contest(["paths", "greedy", "random"], "iberia", [], 2, 6, "t", 1.0)
    test = Sprt(0.5, 0.6)
    return analyse(whole, run(whole, "en", 1, None, (test, 0, 1)), test.verdict("paths", "greedy"))


@pytest.fixture(scope="module")
def study_result() -> StudyResult:
    whole = requested_survey("new_york", [], None, "paths,hungry", 30, "t", 1.0)
    return analyse_survey(whole, open_board("new_york"), survey.run(whole, "en", 1))


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(
    request: pytest.FixtureRequest, arena_result: ArenaResult, study_result: StudyResult
) -> tuple[str, str, str]:
    lang: str = request.param
    arena = arena_page(arena_result, lang, "branchline arena <&>")
    study = study_page(study_result, open_board("new_york"), lang, "branchline study")
    return lang, arena, study


# Pages


def test_a_report_is_sound_and_needs_no_network(pages: tuple[str, str, str]) -> None:
    lang, *texts = pages
    for text in texts:
        page = Page(text)
        assert ("html", {"lang": lang}) in page.seen
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
        assert not any("src" in attributes for _, attributes in page.seen)
        assert "inf" not in re.findall(r"[a-z]+", page.text)
        assert "nan" not in re.findall(r"[a-z]+", page.text)


def test_a_report_speaks_its_language(pages: tuple[str, str, str]) -> None:
    lang, arena, study = pages
    heads = {
        "en": (
            ["Win shares and margins", "Ratings", "Who beats whom", "Scores by source"],
            ["Order of play", "Length of games"],
            ["Tickets", "Routes", "The board"],
        ),
        "fr": (
            ["Victoires et écarts", "Classements", "Qui bat qui", "Origine des points"],
            ["Ordre de jeu", "Durée des parties"],
            ["Destinations", "Routes", "Le plateau"],
        ),
    }[lang]
    for head in heads[0] + heads[1]:
        assert f"<h2>{head}</h2>" in arena
    for head in heads[1] + heads[2]:
        assert f"<h2>{head}</h2>" in study
    if lang == "fr":
        for text in (arena, study):
            words = Page(text).text
            assert not re.search(r"\d\.\d+\s?%|\d%", words), "decimal commas and spaces"
            assert not re.search(r" [;:!?](?: |$)", words), "no-break spaces"


def test_every_drawing_is_hidden_or_has_a_name(pages: tuple[str, str, str]) -> None:
    for text in pages[1:]:
        for tag, attributes in Page(text).seen:
            if tag == "svg":
                named = attributes.get("role") == "img" and attributes.get("aria-labelledby")
                assert named or attributes.get("aria-hidden") == "true"
            if tag in ("table", "th"):
                assert tag == "table" or attributes.get("scope") in ("col", "row")


def test_what_is_drawn_stands_in_numbers_too(
    pages: tuple[str, str, str], arena_result: ArenaResult, study_result: StudyResult
) -> None:
    lang, arena, study = pages
    words = Page(arena).text
    for s in arena_result.standings:
        for shown in (percent(s.wins.value, 1, lang), number(s.rating.value, 0, lang, sign=True)):
            assert shown in words
    for pair in arena_result.pairs:
        assert percent(pair.ahead.value, 1, lang) in words
    assert text_rows(study) >= len(study_result.routes) + len(study_result.tickets)


def text_rows(page: str) -> int:
    return sum(tag == "tr" for tag, _ in Page(page).seen)


def test_names_are_escaped(pages: tuple[str, str, str]) -> None:
    assert "branchline arena &lt;&amp;&gt;" in pages[1]


# The board


@pytest.mark.parametrize("id", branchline.builtin_boards())
def test_a_board_is_drawn_inside_its_frame(id: str) -> None:
    board = open_board(id)
    points, height = project(board)
    assert all(0 < x < 1000 and 0 < y < height for x, y in points)
    notes = ["note"] * len(board.routes)
    drawing = draw_board(board, [0.5] * len(board.routes), notes, "t", "a")
    assert drawing.count("<line") == len(board.routes)
    assert drawing.count("<circle") == drawing.count("<text") == len(board.cities)
    labels = place_labels(board, points, [city.name for city in board.cities])
    assert len(labels) == len(board.cities)


def test_wider_is_claimed_more_often() -> None:
    board = open_board("new_york")
    rates = [k / len(board.routes) for k in range(len(board.routes))]
    drawing = draw_board(board, rates, [""] * len(rates), "t", "a")
    widths = [float(w) for w in re.findall(r'stroke-width="([\d.]+)" stroke-dash', drawing)]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


# What a study says


def test_a_study_counts_tickets_and_routes(study_result: StudyResult) -> None:
    board = open_board("new_york")
    assert [use.ticket for use in study_result.tickets] == list(range(len(board.tickets)))
    for ticket in study_result.tickets:
        assert 0 <= ticket.held.low <= ticket.held.value <= ticket.held.high <= 1
        if ticket.holdings:
            assert -ticket.points <= ticket.gained.value <= ticket.points
            expected = ticket.points * (2 * ticket.done.value - 1)
            assert ticket.gained.value == pytest.approx(expected)
    for route in study_result.routes:
        assert 0 <= route.contested <= route.wanted <= 1
        assert 0 <= route.when <= 1
    assert study_result.winning_score > study_result.score


def test_a_ways_routes_are_all_shortest() -> None:
    board = open_board("usa")
    for ticket in board.tickets[:5]:
        ways = shortest_ways(board, int(ticket.a), int(ticket.b))
        least = distances(board, int(ticket.a))[ticket.b]
        cities = {int(c) for r in ways for c in (board.routes[r].a, board.routes[r].b)}
        assert {int(ticket.a), int(ticket.b)} <= cities
        for city in cities:
            there = distances(board, int(ticket.a))[city] + distances(board, int(ticket.b))[city]
            assert there == least


# Commands


class Said(NamedTuple):
    """How the command ended, and what it said."""

    exit_code: int
    output: str
    stderr: str


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str, lang: str = "en") -> Said:
        code = run_command(["--lang", lang, *words])
        return Said(code, *capsys.readouterr())

    return call


def test_arena_prints_standings_and_writes_files(command: Any, tmp_path: Path) -> None:
    html, data = tmp_path / "a.html", tmp_path / "a.json"
    words = ["arena", "paths", "random", "--map", "new_york", "--blocks", "4", "--processes", "1"]
    result = command(*words, "--html", str(html), "--json", str(data))
    assert result.exit_code == 0, result.output
    assert "paths" in result.output
    assert "win share" in result.output
    assert result.output.splitlines()[0] == "New York, 2 seats", "the board is named"
    assert Page(html.read_text(encoding="utf-8")).text
    found = json.loads(data.read_text(encoding="utf-8"))
    assert (found["blocks"], found["games"]) == (4, 8)
    assert found["standings"][0]["wins"]["value"] >= found["standings"][1]["wins"]["value"]


def test_study_prints_tables_in_french(command: Any) -> None:
    words = ["study", "new_york", "--bots", "paths,greedy", "--games", "4", "--processes", "1"]
    result = command(*words, lang="fr")
    assert result.exit_code == 0, result.output
    assert "Origine des points" in result.output
    as_json = command(*words, "--json", "-")
    assert json.loads(as_json.output)["games"] == 4


def test_versus_gives_a_markdown_table(command: Any) -> None:
    words = ["arena", "paths", "--versus", "random,greedy", "--all-boards", "--blocks", "2"]
    result = command(*words, "--processes", "1")
    lines = result.output.strip().splitlines()
    assert lines[0] == "| board | `random` | `greedy` |"
    assert len(lines) == 2 + len(branchline.builtin_boards())
    assert all(line.count("|") == 4 for line in lines)


def test_a_season_is_its_contests() -> None:
    whole = league(["paths"], "random,greedy", "new_york", [], False, 3, "t", 1.0)
    cells = run_league(whole, "en", 1)
    for cell, single in zip(cells, whole.contests, strict=True):
        alone = analyse(single, run(single, "en", 1))
        pair = next(p for p in alone.pairs if p.bot == cell.bot)
        assert cell.wins.value == pair.ahead.value
    assert "plateau" in markdown(cells, "fr")


def test_a_simulation_names_every_file_that_it_has_written(command: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    words = ["simulate", "--map", "new_york", "--games", "2", "--processes", "1"]
    result = command(*words, "--out", str(out), "--decisions", "--keep-records")
    assert result.exit_code == 0
    files = sorted(path.name for path in out.glob("*.parquet"))
    assert len(files) == 4
    assert result.output.strip().endswith(f"{', '.join(files)}.")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "--bots", "nobody,random"], "There is no bot nobody"),
        (["simulate", "--bots", "planner:size=3,random"], "does not take these parameters"),
        (["simulate", "--map", "atlantis"], "There is no board atlantis"),
        (["simulate", "--bots", "random", "--seats", "2"], "2 seats need 2 bots"),
        (["simulate", "--games", "0"], "with --games"),
        (["simulate", "--processes", "0"], "with --processes"),
        (["simulate", "--seconds", "0"], "with --seconds"),
        (["simulate", "--keep-records"], "--out"),
        (["simulate", "--decisions"], "--decisions needs a folder"),
        (["simulate", "--all", "--map", "usa"], "--all and --map"),
        (["arena", "random"], "at least as many bots"),
        (["arena", "random", "greedy", "--all-boards"], "--all-boards and --versus"),
        (["arena", "random", "greedy", "--sprt", "random,paths"], "random, greedy"),
        (["arena", "random", "greedy", "--sprt", "random,greedy", "--elo1", "-5"], "lower one"),
        (["study", "atlantis"], "There is no board atlantis"),
    ],
)
def test_a_mistake_is_said_in_one_line(command: Any, words: list[str], said: str) -> None:
    result = command(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_bot_that_fails_is_named_with_its_game(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_bot.py").write_text(
        "class Broken:\n"
        "    def start(self, game, seat, seed): pass\n"
        "    def decide(self, view, seconds): return -1\n"
        "    def finish(self, view): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    bots = "broken_bot:Broken,random"
    result = command("simulate", "--map", "usa", "--bots", bots, "--processes", "1")
    assert result.exit_code == 1
    assert "seed 1/0" in result.stderr
    assert "broken_bot:Broken" in result.stderr
    assert "report" not in result.stderr, "it is no bug of ours"


def test_parameters_of_bots_may_have_commas() -> None:
    text = "planner:noise=0.1,time_share=0.7,random,pack.age:Bot:x=1,y=2"
    assert split_bots(text) == [
        "planner:noise=0.1,time_share=0.7",
        "random",
        "pack.age:Bot:x=1,y=2",
    ]


def test_numbers_are_written_as_readers_write_them() -> None:
    assert number(12345.678, 1, "en") == "12,345.7"
    assert number(12345.678, 1, "fr") == "12\u202f345,7"
    assert percent(0.123, 1, "fr") == "12,3\u00a0%"
    assert grouped("999", "fr") == "999"
