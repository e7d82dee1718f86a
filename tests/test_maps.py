"""Map files: the six boards, what a broken file is told, overlays, and the rules' parameters."""

from __future__ import annotations

import copy
import hashlib
import inspect
import pickle
import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from branchline.core.board import GRAY, Board, RuleEntry
from branchline.core.catalogue import NOUNS
from branchline.core.mapfile import (
    MAX_BYTES,
    MapError,
    board_from_data,
    build,
    builtin_boards,
    checks,
    load,
    load_board,
    map_schema,
    overlays,
    problems,
    schema,
    validation,
)
from branchline.core.mapfile import files as toml_files
from branchline.rules import parameters
from branchline.rules.drafts.params import DraftParams
from branchline.rules.festivals.params import FestivalsParams
from branchline.rules.parameters import (
    PARAMS,
    check_rules,
    full_schema,
    rule_params,
    rules_schema,
)
from branchline.rules.province_mat.params import ProvinceMatParams
from branchline.rules.stations.params import StationsParams

Edit = Callable[[dict[str, Any]], object]

SMALL = """
format = 1
id = "small"
name.en = "Small"
seats = [2, 3]
trains = 10
colours = ["red", "blue"]
cities.ayr = { name = "Ayr", lat = 55.5, lon = -4.6 }
cities.bath = { name = "Bath", lat = 51.4, lon = -2.4 }
cities.cork = { name = "Cork", name_fr = "Corcagh", lat = 51.9, lon = -8.5 }
routes = [
  { between = ["ayr", "bath"], length = 2, colour = "red" },
  { between = ["bath", "ayr"], length = 3, colour = "gray" },
  { between = ["bath", "cork"], length = 4, colour = "blue" },
]
tickets = [
  { between = ["ayr", "bath"], points = 2 },
  { between = ["ayr", "cork"], points = 6 },
  { between = ["bath", "cork"], points = 4 },
]
rules = [
  { rule = "deck", per_colour = 6, locomotives = 4, hand = 2, display = 5 },
  { rule = "opening_tickets", deal = 1, keep = 1, rejected = "out" },
  { rule = "draw_cards", face_up_locomotive = "free" },
  { rule = "claim_routes", points = [1, 2, 4, 7] },
  { rule = "doubles", open_from = 3 },
  { rule = "draw_tickets", draw = 2, keep = 1, rejected = "bottom" },
  { rule = "ending" },
  { rule = "tie_breaks", order = ["tickets"] },
]
"""

# cities, routes, tickets, and a fingerprint of all of them as they were checked for the release
PRINTED = {
    "iberia": (33, 103, 50, "21fef43021e28ca6"),
    "south_korea": (33, 98, 44, "690aa1ca64443f23"),
    "new_york": (15, 41, 18, "390ba3078a00ea20"),
    "nordic": (39, 81, 46, "322fbd00f40537fc"),
    "usa": (36, 100, 30, "58d4082b9c20b738"),
    "europe": (47, 101, 46, "20347f4d0e06fddc"),
}

OVERLAY = """
format = 1
overlay_for = "iberia"
tickets = [
  { between = ["madrid", "lisboa"], points = 8 },
  { between = ["madrid", "barcelona"], points = 6 },
]
festivals = [{ id = "madrid", cities = ["madrid"], cards = 2, scores = [3, 5] }]
"""


@pytest.fixture(autouse=True)
def _no_overlays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRANCHLINE_OVERLAYS", raising=False)


def small(edit: Edit = lambda data: None) -> dict[str, Any]:
    data = tomllib.loads(SMALL)
    edit(data)
    return data


def told(edit: Edit) -> str:
    with pytest.raises(MapError) as caught:
        board_from_data(small(edit), "small.toml")
    return str(caught.value)


def rule_problems(edit: Edit, board: str = "") -> str:
    data: dict[str, Any] = copy.deepcopy(dict(load_board(board).source)) if board else small()
    edit(data)
    found = check_rules(board_from_data(data, "edited.toml"))
    return "\n".join(str(problem) for problem in found)


def put(data: dict[str, Any], name: str, **params: object) -> None:
    """Changes the parameters of a rule, or adds the rule at the end."""
    for entry in data["rules"]:
        if entry["rule"] == name:
            entry.update(params)
            return
    data["rules"].append({"rule": name, **params})


def drop(data: dict[str, Any], name: str) -> None:
    data["rules"] = [entry for entry in data["rules"] if entry["rule"] != name]


def params(board: Board) -> dict[str, Any]:
    return {entry.name: rule_params(entry) for entry in board.rules}


# The six boards


def test_the_boards_are_listed_in_the_order_in_which_people_meet_them() -> None:
    assert builtin_boards() == [*PRINTED]


@pytest.mark.parametrize("name", PRINTED)
def test_a_board_holds_what_was_checked_for_it(name: str) -> None:
    board = load_board(name)
    ids = [city.id for city in board.cities]
    lines = [f"{ids[t.a]} {ids[t.b]} {t.points} {t.long}" for t in board.tickets]
    for r in board.routes:
        colour = "gray" if r.colour == GRAY else board.colours[r.colour]
        marks = f"{r.length} {colour} {r.locomotives} {r.tunnel} {r.any_cards}"
        lines.append(f"{ids[r.a]} {ids[r.b]} {marks}")
    text = "\n".join(ids + lines)
    counts = (len(board.cities), len(board.routes), len(board.tickets))
    assert (*counts, hashlib.sha256(text.encode()).hexdigest()[:16]) == PRINTED[name]


@pytest.mark.parametrize("name", PRINTED)
def test_a_board_has_rules_that_fit_it(name: str) -> None:
    assert check_rules(load_board(name)) == []


@pytest.mark.parametrize("name", PRINTED)
def test_a_board_is_rebuilt_from_its_own_source(name: str) -> None:
    board = load_board(name)
    packed = msgspec.json.decode(msgspec.json.encode(board.source))
    again = board_from_data(packed, "record")
    assert again.digest == board.digest
    for lang in ("", "en", "fr"):
        assert [c.named(lang) for c in again.cities] == [c.named(lang) for c in board.cities]


@pytest.mark.parametrize("name", PRINTED)
def test_a_board_says_where_its_parts_come_from_in_both_languages(name: str) -> None:
    board = load_board(name)
    parts = {p.part: p.status for p in board.provenance}
    assert {"cities", "positions", "routes", "tickets", "rules"} <= parts.keys()
    assert all(p.source("en") != p.source("fr") for p in board.provenance)
    reconstructed = {part for part, status in parts.items() if status == "reconstructed"}
    assert reconstructed == {
        "iberia": {"tickets", "festivals.cards", "festivals.scores"},
        "south_korea": {"tickets", "province_mat.lines"},
    }.get(name, set())


def test_the_numbers_of_the_rulebooks_hold() -> None:
    iberia, korea = params(load_board("iberia")), params(load_board("south_korea"))
    festivals = {one.id: one for one in iberia["festivals"].sets}
    assert sum(one.cards for one in festivals.values()) == 54
    assert festivals["sevilla"].scores[3 - 1] == 6
    assert festivals["valencia"].scores[7 - 1] == 22
    assert festivals["porto_coimbra"].cities == ["porto", "coimbra"]
    assert 6 in {line.colour: line for line in korea["province_mat"].lines}["white"].spots
    assert len(params(load_board("new_york"))["attractions"].cities) == 9
    assert sum(ticket.long for ticket in load_board("europe").tickets) == 6


def test_no_7_routes_of_unequal_length_are_twins_too() -> None:
    board = load_board("nordic")
    pairs = {board.route_name(r.index): r.twin for r in board.routes if r.twin >= 0}
    assert pairs.keys() >= {"Kristiansand–Stavanger", "Mo i Rana–Trondheim"}
    for route in board.routes:
        if route.twin >= 0:
            twin = board.routes[route.twin]
            assert twin.twin == route.index
            assert {twin.a, twin.b} == {route.a, route.b}


@pytest.mark.parametrize(
    ("name", "city", "names"),
    [
        ("europe", "london", ("London", "London", "Londres")),
        ("europe", "wien", ("Wien", "Vienna", "Vienne")),
        ("europe", "paris", ("Paris", "Paris", "Paris")),
        ("iberia", "sevilla", ("Sevilla", "Seville", "Séville")),
        ("iberia", "france", ("Francia", "France", "France")),
        ("south_korea", "seoul", ("Seoul", "Seoul", "Séoul")),
        ("new_york", "united_nations", ("United Nations", "United Nations", "Nations unies")),
        ("nordic", "kobenhavn", ("København", "Copenhagen", "Copenhague")),
        ("nordic", "goteborg", ("Göteborg", "Gothenburg", "Göteborg")),
        ("usa", "montreal", ("Montréal", "Montreal", "Montréal")),
    ],
)
def test_a_city_has_its_printed_name_and_those_of_the_languages_that_have_one(
    name: str, city: str, names: tuple[str, str, str]
) -> None:
    board = load_board(name)
    found = board.cities[board.city_of[city]]
    assert (found.named(), found.named("en"), found.named("fr")) == names


@pytest.mark.parametrize("name", PRINTED)
def test_names_in_other_languages_are_unlike_the_printed_one_and_tell_cities_apart(
    name: str,
) -> None:
    board = load_board(name)
    cities: Any = board.source["cities"]
    for lang in ("en", "fr"):
        own = [c for c in cities.values() if c.get(f"name_{lang}")]
        assert all(c[f"name_{lang}"] != c["name"] for c in own)
        assert len({c.named(lang) for c in board.cities}) == len(board.cities)


def test_a_board_has_a_name_in_french() -> None:
    assert load_board("nordic").named("fr") == "Scandinavie"


# Files


def test_a_small_file_makes_a_board(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text("\ufeff" + SMALL, encoding="utf-8")  # some editors put a mark in front
    board = load_board(str(path))
    assert check_rules(board) == []
    assert (board.named("fr"), board.seats_min, board.seats_max) == ("Small", 2, 3)
    assert [route.twin for route in board.routes] == [1, 0, -1]
    assert [route.colour for route in board.routes] == [0, GRAY, 1]
    assert board.ticket_name(1, "fr") == "Ayr–Corcagh"


def test_the_digest_follows_the_facts_and_nothing_else() -> None:
    digest = board_from_data(small(), "small").digest
    words: list[Edit] = [
        lambda d: d["name"].update(fr="Petit"),
        lambda d: d["cities"]["ayr"].update(name="Air", lat=1.0),
        lambda d: d.update(provenance=[{"part": "all", "status": "exact", "en": "a", "fr": "b"}]),
        lambda d: d["routes"][0].update(tunnel=False),
        lambda d: d.update(words={"en": {"red": {"name": "ruby"}}}),
    ]
    facts: list[Edit] = [
        lambda d: d["routes"][0].update(length=1),
        lambda d: d["tickets"].reverse(),
        lambda d: d["rules"][0].update(hand=3),
        lambda d: d.update(trains=11),
        lambda d: d.update(cities=dict(reversed(d["cities"].items()))),
    ]
    assert {board_from_data(small(edit), "small").digest for edit in words} == {digest}
    others = {board_from_data(small(edit), "small").digest for edit in facts}
    assert digest not in others
    assert len(others) == len(facts)


def test_the_digest_ignores_the_names_of_provinces() -> None:
    board = load_board("south_korea")
    data: dict[str, Any] = copy.deepcopy(dict(board.source))
    [mat] = [entry for entry in data["rules"] if entry["rule"] == "province_mat"]
    mat["lines"][0]["en"] = "Elsewhere"
    assert board_from_data(data, "renamed").digest == board.digest
    mat["lines"][0]["spots"] = [1, 2]
    assert board_from_data(data, "changed").digest != board.digest


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'format = 1\nid = "a\n', ": line 2, column 8: Illegal character"),
        (b"id = 1\nid = 2\nname = 3\n", ": line 2, column 7: Cannot overwrite a value"),
        (b"format = 1\n# caf\xe9\n", "expected TOML text in UTF-8"),
        (b"a = " + b"[" * 5000, "recursion"),
        (b"#" * (MAX_BYTES + 1), "file: too large; expected at most 1000000 bytes"),
        (b"day = 1979-05-27\n", "day: unknown field"),
    ],
)
def test_a_file_that_is_no_map_file_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(MapError) as caught:
        load_board(str(path))
    assert caught.value.path == str(path)
    assert words in str(caught.value)


def test_an_unknown_board_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"or iberia, .*, europe \(did you mean nordic\?\)"):
        load_board("nordics")
    with pytest.raises(MapError, match="No such file"):
        load_board(str(tmp_path / "none.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(MapError, match="directory"):
        load_board(str(tmp_path / "folder.toml"))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda d: d.update(format=2), "format: 2; expected 1"),
        (lambda d: d.pop("trains"), "trains: missing; expected int"),
        (lambda d: d.update(trains=0), "trains: 0; expected int >= 1"),
        (lambda d: d.update(trains=True), "trains: true; expected int"),
        (lambda d: d.update(color=[]), "color: unknown field; expected format, id"),
        (lambda d: d.update(color=[]), "(did you mean colours?)"),
        (lambda d: d.update(id="Small"), 'id: "Small"; expected an id: small letters'),
        (lambda d: d.update(id="small\n"), "expected an id: small letters"),
        (lambda d: d.update(name={"fr": "Petit"}), "name.en: missing"),
        (lambda d: d.update(seats=[2]), "seats: [2]; expected list of length 2"),
        (lambda d: d.update(words={"de": {}}), 'words.de: "de"; expected en, fr'),
        (lambda d: d.update(words={"en": {"red": {}}}), "words.en.red.name: missing"),
        (
            lambda d: d.update(words={"en": {"train": {"one": "taxi"}}}),
            "words.en.train.other: missing",
        ),
        (lambda d: d.update(words={"en": {"trian": {}}}), "(did you mean train?)"),
        (
            lambda d: d.update(words={"en": {"red": {"name": "ruby", "letter": "B"}}}),
            "words.en.red.letter: B, as blue; expected a letter for each kind of card",
        ),
        (
            lambda d: d.update(words={"en": {"pink": {"name": "rose"}}}),
            "words.en.pink: not a colour",
        ),
        (lambda d: d.update(seats=[0, 2]), "seats: 0 to 2; expected the least and the most"),
        (lambda d: d.update(seats=[3, 2]), "seats: 3 to 2"),
        (lambda d: d.update(seats=[2, 9]), "seats: 2 to 9"),
        (lambda d: d.update(colours=["red", "blue", "red"]), "colours: a colour stands twice"),
        (lambda d: d["colours"].append("mauve"), 'colours[2]: "mauve"; expected pink, blue'),
        (lambda d: d["cities"].update(Dax=d["cities"]["ayr"]), 'cities.Dax: "Dax"; expected an id'),
        (lambda d: d["cities"]["ayr"].update(lat=91), "cities.ayr.lat: 91; expected float <= 90"),
        (lambda d: d["cities"]["ayr"].update(lat=float("nan")), "cities.ayr.lat: NaN"),
        (lambda d: d["cities"].update(dax=d["cities"]["ayr"]), "no way from ayr to dax"),
        (lambda d: d["routes"].clear(), "routes: []; expected list of length >= 1"),
        (lambda d: d.update(routes=d["routes"] * 134), "expected list of length <= 400"),
        (lambda d: d.update(tickets=d["tickets"] * 67), "expected list of length <= 200"),
        (
            lambda d: d["cities"].update({f"c{i}": d["cities"]["ayr"] for i in range(200)}),
            "expected table of length <= 200",
        ),
        (lambda d: d["routes"][2].pop("length"), "routes[2] (bath–cork).length: missing"),
        (lambda d: d["routes"][2].update(length=0), "length: 0; expected int >= 1"),
        (lambda d: d["routes"][2].update(length=21), "length: 21; expected int <= 20"),
        (lambda d: d["routes"][2].update(length="4"), 'length: "4"; expected int'),
        (lambda d: d["routes"][2].update(colour="bleu"), "(did you mean blue?)"),
        (lambda d: d["routes"][2].update(colour="green"), "green; expected red, blue, gray"),
        (lambda d: d["routes"][2].update(locomotives=5), "locomotives: 5; expected no more"),
        (lambda d: d["routes"][2].update(any_cards=1), "any_cards: 1; expected 2 or more"),
        (lambda d: d["routes"][2].update(between=["bath"]), "between: ["),
        (lambda d: d["routes"][2].update(between=["bath", 3]), "routes[2].between[1]: 3; expected"),
        (lambda d: d["routes"][2].update(between=["bath", "corc"]), "no city corc; expected an id"),
        (lambda d: d["routes"][2].update(between=["bath", "corc"]), "(did you mean cork?)"),
        (lambda d: d["routes"][2].update(between=["cork", "cork"]), "the same city twice"),
        (lambda d: d["routes"].append(d["routes"][0]), "routes[3] (ayr–bath): too many routes"),
        (lambda d: d["tickets"][1].update(between=["ayr", "rome"]), "tickets[1] (ayr–rome)"),
        (lambda d: d["tickets"][1].update(between=["ayr", "ayr"]), "the same city twice"),
        (lambda d: d["tickets"][1].update(between=["bath", "ayr"]), "too many tickets"),
        (lambda d: d["tickets"][1].update(points=0), "points: 0; expected int >= 1"),
        (lambda d: d["rules"].append({"rul": "deck"}), "rules[8].rule: missing; expected str"),
        (lambda d: d["rules"].append("deck"), 'rules[8]: "deck"; expected table'),
        (lambda d: d.update(provenance=[{"part": "x"}]), "provenance[0] (x).status: missing"),
    ],
)
def test_a_broken_file_is_told_the_place_and_what_was_expected(edit: Edit, words: str) -> None:
    assert words in told(edit)


def test_all_problems_are_told_at_once_one_to_a_line() -> None:
    def misspell(data: dict[str, Any]) -> None:
        data["routes"][0].update(length="two", colour="rouge")
        data["routes"][2].update(lenght=3)
        data["tickets"][0].pop("points")

    def contradict(data: dict[str, Any]) -> None:
        data["seats"] = [3, 2]
        data["routes"][0]["between"] = ["ayr", "ayr"]
        data["tickets"][0]["between"] = ["dax", "eu"]

    assert len(told(misspell).splitlines()) == 4
    assert len(told(contradict).splitlines()) == 4
    assert all(line.startswith("small.toml: ") for line in told(contradict).splitlines())


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda d: d.pop("trains"), "trains : il manque une valeur ; attendu : un entier"),
        (lambda d: d.update(trains=0), "trains : 0 ; attendu : un entier ≥ 1"),
        (lambda d: d.update(seats=[2]), "seats : [2] ; attendu : une liste de longueur 2"),
        (lambda d: d.update(seats=[3, 2]), "seats : de 3 à 2 ; attendu : le minimum et"),
        (lambda d: d.update(color=[]), "color : champ inconnu ; attendu : format, id"),
        (lambda d: d.update(color=[]), "(vouliez-vous dire colours ?)"),
        (lambda d: d.update(id="Small"), 'id : "Small" ; attendu : un identifiant : minuscules'),
        (lambda d: d["routes"].clear(), "routes : [] ; attendu : une liste de longueur ≥ 1"),
        (lambda d: d["cities"]["ayr"].update(lat=91), "lat : 91 ; attendu : un nombre ≤ 90"),
        (lambda d: d["cities"].update(dax=d["cities"]["ayr"]), "aucun chemin entre ayr et dax"),
        (lambda d: d["routes"].append(d["routes"][0]), "trop de routes entre ces deux villes"),
        (lambda d: d["routes"][2].update(between=["bath", "corc"]), "il n’y a pas de ville corc"),
        (lambda d: d["tickets"][1].update(between=["ayr", "ayr"]), "deux fois la même ville"),
        (lambda d: put(d, "stationz"), "règle inconnue ; attendu : une règle parmi attractions"),
        (lambda d: put(d, "deck", hand=4), "(deck) : 16 cartes ; attendu : au moins 17"),
        (lambda d: put(d, "deck", cite="seven"), "attendu : le numéro d’une règle"),
        (lambda d: drop(d, "doubles"), "rules : il manque la règle doubles"),
        (lambda d: put(d, "claim_routes", points=[1]), "des points pour 1 longueur seulement"),
        (lambda d: put(d, "tie_breaks", order=["stations"]), "attendu : la règle stations aussi"),
    ],
)
def test_problems_are_told_in_french(edit: Edit, words: str) -> None:
    try:
        problems = check_rules(board_from_data(small(edit), "small.toml"))
    except MapError as error:
        problems = error.problems
    told = "\n".join(problem.told("fr") for problem in problems)
    assert words in told.replace("\u00a0", " ")


def test_a_file_that_can_not_be_read_is_told_in_french(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bad.toml").write_text("id = ", encoding="utf-8")
    for name, words in (
        ("nordics", "ni un plateau ni un fichier .toml"),
        (str(tmp_path / "none.toml"), "ce fichier n’existe pas"),
        (str(tmp_path / "folder.toml"), "c’est un dossier"),
        (str(tmp_path / "bad.toml"), "TOML illisible"),
    ):
        with pytest.raises(MapError) as caught:
            load_board(name)
        assert words in caught.value.told("fr")
        assert words not in str(caught.value)


def test_every_phrase_of_the_checks_is_in_the_catalogue_and_none_is_idle() -> None:
    modules = (checks, toml_files, build, load, overlays, problems, schema, validation)
    rules = Path(parameters.__file__).parent
    paths = [rules / "parameters.py", *rules.glob("*/params.py")]
    sources = [inspect.getsource(module) for module in modules]
    sources += [path.read_text("utf-8") for path in paths]
    found = {code for text in sources for code in re.findall(r'phrase\("(\w+)"', text)}
    found |= {code for text in sources for code in re.findall(r'"phrase": "(\w+)"', text)}
    found |= {"both", "neither", "too_many_routes", "too_many_tickets"}  # chosen by their case
    found |= {"problem", "of_file", "hint", "as_is", "overlay", *toml_files.FILE_ERRORS.values()}
    table = tomllib.loads((files("branchline.lang") / "fr" / "maps.toml").read_text("utf-8"))
    assert found == table.keys() - {"type", "number", "length"}
    assert table["type"].keys() == set(validation.TYPES)
    assert table["number"].keys() == table["length"].keys() == set(validation.LIMITS.values())


def test_a_map_error_travels_between_processes() -> None:
    with pytest.raises(MapError) as caught:
        load_board("nowhere")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.problems == caught.value.problems


# Overlays


def test_an_overlay_replaces_lists_and_marks_their_provenance(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(OVERLAY, encoding="utf-8")
    plain, board = load_board("iberia"), load_board("iberia", [str(path)])
    assert [board.ticket_name(t.index) for t in board.tickets] == [
        "Madrid–Lisboa",
        "Madrid–Barcelona",
    ]
    [one] = params(board)["festivals"].sets
    assert (one.id, one.scores) == ("madrid", [3, 5])
    status = {p.part: p.status for p in board.provenance}
    assert {part for part, word in status.items() if word == "replaced"} == {
        "tickets",
        "festivals.cities",
        "festivals.cards",
        "festivals.scores",
    }
    assert status.keys() == {p.part for p in plain.provenance}
    assert board.digest != plain.digest
    assert board_from_data(board.source, "record").digest == board.digest
    assert load_board("iberia").digest == plain.digest


def test_an_overlay_replaces_the_lines_of_the_mat(tmp_path: Path) -> None:
    path = tmp_path / "mat.toml"
    line = '{ colour = "red", spots = [2, 4], en = "South", fr = "Sud" }'
    path.write_text(f'format = 1\noverlay_for = "south_korea"\nprovince_mat = [{line}]\n')
    board = load_board("south_korea", [str(path)])
    mat = params(board)["province_mat"]
    assert isinstance(mat, ProvinceMatParams)
    assert [(one.colour, one.spots) for one in mat.lines] == [("red", [2, 4])]
    assert mat.scoring["2"] == [10]
    assert {p.part: p.status for p in board.provenance}["province_mat.lines"] == "replaced"


@pytest.mark.parametrize(
    ("board", "content", "words"),
    [
        ("nordic", OVERLAY, "overlay_for: iberia; expected the board’s id, nordic"),
        ("iberia", OVERLAY.replace("lisboa", "lisbon"), "no city lisbon; expected an id"),
        ("iberia", OVERLAY.replace("points = 8", "points = -8"), "points: -8; expected int >= 1"),
        ("iberia", OVERLAY + "routes = []\n", "routes: unknown field"),
        ("iberia", OVERLAY + "festivls = [{}]\n", "festivls: the board has no such rule"),
        ("iberia", OVERLAY + "festivls = [{}]\n", "(did you mean festivals?)"),
        ("iberia", OVERLAY + "deck = [{}]\n", "deck: no list to replace"),
        ("iberia", OVERLAY + "note = 1\n", "note: unknown field"),
        ("iberia", OVERLAY + "province_mat = []\n", "province_mat: []; expected list of length"),
        ("iberia", OVERLAY + "province_mat = [{}]\n", "province_mat: the board has no such rule"),
    ],
)
def test_an_overlay_that_does_not_fit_is_refused_by_its_own_name(
    tmp_path: Path, board: str, content: str, words: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MapError) as caught:
        load_board(board, [str(path)])
    assert caught.value.path == str(path)
    assert words in str(caught.value)


def test_overlays_of_the_environment_serve_their_own_board_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(OVERLAY, encoding="utf-8")
    nordic = load_board("nordic").digest
    separator = ";" if str(path)[1:2] == ":" else ":"
    monkeypatch.setenv("BRANCHLINE_OVERLAYS", f"{separator}{path}")
    assert len(load_board("iberia").tickets) == 2
    assert load_board("nordic").digest == nordic
    monkeypatch.setenv("BRANCHLINE_OVERLAYS", str(tmp_path / "gone.toml"))
    with pytest.raises(MapError, match="No such file"):
        load_board("nordic")


# Rules


def test_every_rule_of_the_boards_has_parameters_and_no_rule_is_idle() -> None:
    used = {entry.name for name in builtin_boards() for entry in load_board(name).rules}
    assert used == PARAMS.keys()


def test_parameters_are_typed_and_have_defaults() -> None:
    draft = rule_params(RuleEntry("draft", {"deal": 6, "keep": 4, "pass": "left"}))
    assert draft == DraftParams(deal=6, keep=4, direction="left")
    stations = rule_params(RuleEntry("stations", {}))
    assert isinstance(stations, StationsParams)
    assert (stations.count, stations.unused) == (3, 4)
    with pytest.raises(
        MapError, match=r"rule draft: parameters.pass: \"up\"; expected left, right"
    ):
        rule_params(RuleEntry("draft", {"deal": 6, "keep": 4, "pass": "up"}))
    with pytest.raises(MapError, match=r"unknown rule; .* \(did you mean ferries\?\)"):
        rule_params(RuleEntry("fairies", {}))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (
            lambda d: put(d, "stationz"),
            "(stationz): unknown rule; expected one of attractions",
        ),
        (lambda d: put(d, "stationz"), "(did you mean stations?)"),
        (lambda d: put(d, "deck", hand="2"), 'rules[0] (deck).hand: "2"; expected int'),
        (lambda d: put(d, "deck", hands=2), "rules[0] (deck).hands: unknown field"),
        (lambda d: put(d, "ending", trains=-1), "(ending).trains: -1; expected int >= 0"),
        (lambda d: d["rules"].append({"rule": "ending"}), "rules: ending again"),
        (lambda d: drop(d, "doubles"), "rules: no rule doubles; expected it on every board"),
        (lambda d: drop(d, "opening_tickets"), "neither opening_tickets nor draft"),
        (lambda d: put(d, "draft", deal=1, keep=1, **{"pass": "left"}), "both opening_tickets"),
        (lambda d: d["routes"][0].update(locomotives=1), "no rule ferries; expected it, as some"),
        (lambda d: put(d, "ferries"), "(ferries): no route has locomotives"),
        (lambda d: d["routes"][0].update(tunnel=True), "rules: no rule tunnels"),
        (lambda d: put(d, "tunnels"), "(tunnels): no route has tunnel"),
        (lambda d: d["routes"][0].update(any_cards=4), "rules: no rule substitutes"),
        (lambda d: put(d, "substitutes"), "(substitutes): no route has any_cards"),
        (lambda d: put(d, "claim_routes", points=[1, 2, 4]), "points for 3 lengths only"),
        (lambda d: put(d, "opening_tickets", keep=2), "(opening_tickets).keep: 2; expected at"),
        (lambda d: put(d, "opening_tickets", deal=2), "only 3 tickets; expected 6 for 3 seats"),
        (lambda d: put(d, "opening_tickets", long=1), "only 0 long tickets; expected 3 for 3"),
        (lambda d: d["tickets"][0].update(long=True), "tickets: long ones that no rule deals"),
        (lambda d: put(d, "draw_tickets", keep=3), "(draw_tickets).keep: 3; expected at most 2"),
        (lambda d: put(d, "draw_tickets", after_second_draft=True), "no second draft"),
        (lambda d: put(d, "deck", hand=4), "(deck): 16 cards; expected at least 17"),
        (lambda d: put(d, "tie_breaks", order=["stations"]), "order: stations; expected the rule"),
        (lambda d: put(d, "tie_breaks", order=["tickets"] * 2), "order: tickets again"),
        (lambda d: put(d, "attractions", cities=["corc"]), "no city corc; expected an id"),
        (lambda d: put(d, "attractions", cities=["ayr", "ayr"]), "(attractions): ayr again"),
    ],
)
def test_rules_that_do_not_fit_the_board_are_told(edit: Edit, words: str) -> None:
    assert words in rule_problems(edit)


def festival(**changes: object) -> dict[str, object]:
    return {"id": "f", "cities": ["madrid"], "cards": 2, "scores": [1, 2], **changes}


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda d: put(d, "festivals", sets=[festival(cities=["oslo"])]), "no city oslo"),
        (lambda d: put(d, "festivals", sets=[festival(scores=[1])]), "sets (f).scores: 1 for 2"),
        (lambda d: put(d, "festivals", sets=[festival(), festival()]), "sets: f again"),
        (lambda d: put(d, "festivals", sets=[festival(), festival(id="g")]), "madrid again"),
        (lambda d: put(d, "festivals", sets=[festival(cards="2")]), 'sets[0] (f).cards: "2"'),
        (
            lambda d: put(d, "second_draft", depth={"2": "1/2"}),
            "depth.5: missing; expected a share",
        ),
        (lambda d: put(d, "second_draft", depth={"2": "2/2"}), "depth.2: 2/2; expected a share"),
        (lambda d: put(d, "second_draft", depth={"2": "0/2"}), "depth.2: 0/2; expected a share"),
        (
            lambda d: put(d, "second_draft", depth={"2": "half"}),
            'depth.2: "half"; expected a share',
        ),
        (lambda d: put(d, "second_draft", deal=7), "only 30 tickets; expected 35 for 5 seats"),
        (lambda d: put(d, "draft", deal=11), "only 50 tickets; expected 55 for 5 seats"),
        (lambda d: put(d, "draft", keep=7), "(draft).keep: 7; expected at most 6"),
        (lambda d: drop(d, "draft"), "(second_draft): no first draft"),
        (lambda d: drop(d, "second_draft"), "(draw_tickets): no second draft"),
    ],
)
def test_festivals_and_drafts_that_do_not_fit_are_told(edit: Edit, words: str) -> None:
    assert words in rule_problems(edit, "iberia")


def mat_line(**changes: object) -> dict[str, object]:
    return {"colour": "red", "spots": [1, 2], "en": "South", "fr": "Sud", **changes}


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (
            lambda d: put(d, "province_mat", lines=[mat_line(spots=[2, 1])]),
            "spots: [2, 1]; expected",
        ),
        (lambda d: put(d, "province_mat", lines=[mat_line(spots=[1, 1])]), "expected rising"),
        (lambda d: put(d, "province_mat", lines=[mat_line(spots=[0, 1])]), "expected int >= 1"),
        (lambda d: put(d, "province_mat", lines=[mat_line(), mat_line()]), "lines: red again"),
        (lambda d: put(d, "province_mat", scoring={"2": [10]}), "scoring.4: missing"),
        (
            lambda d: put(d, "province_mat", lines=[mat_line(colour="gray")]),
            'lines[0].colour: "gray"; expected pink',
        ),
    ],
)
def test_a_mat_that_does_not_fit_is_told(edit: Edit, words: str) -> None:
    assert words in rule_problems(edit, "south_korea")


def test_a_mat_line_needs_a_colour_of_the_board() -> None:
    def edit(data: dict[str, Any]) -> None:
        line = {"colour": "pink", "spots": [1], "en": "A", "fr": "A"}
        put(data, "province_mat", lines=[line], scoring={"2": [3], "3": [3]})

    assert "lines (pink).colour: pink; expected red, blue" in rule_problems(edit)


def test_substitutes_may_serve_ferries_alone() -> None:
    def edit(data: dict[str, Any]) -> None:
        data["routes"][0]["locomotives"] = 1
        put(data, "ferries")
        put(data, "substitutes")

    assert rule_problems(edit) == ""


# Schemas


def test_the_schemas_name_every_field_and_every_rule() -> None:
    whole = full_schema()
    assert whole["$schema"] == map_schema()["$schema"]
    route = whole["$defs"]["RouteData"]
    assert route["required"] == ["between", "length", "colour"]
    assert route["additionalProperties"] is False
    noun, words = whole["$defs"]["NounData"], whole["$defs"]["WordsData"]["properties"]
    assert noun["required"] == ["one", "other", "a", "the", "no"]
    assert {*NOUNS, "pink"} <= set(words)
    names = []
    for choice in whole["$defs"]["RuleData"]["oneOf"]:
        rule = whole["$defs"][choice["$ref"].removeprefix("#/$defs/")]
        assert "rule" in rule["required"]
        names += rule["properties"]["rule"]["enum"]
    assert sorted(names) == sorted(PARAMS)
    draft = whole["$defs"]["DraftParams"]["properties"]
    assert "pass" in draft
    assert "direction" not in draft
    assert rules_schema()["oneOf"] == whole["$defs"]["RuleData"]["oneOf"]
    assert FestivalsParams.__name__ not in map_schema()["$defs"]
