"""What only a whole map file shows: references, doubles, one network, letters of colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from branchline.core.catalogue import say
from branchline.core.mapfile.problems import MapProblem, as_is, cut, no_city, phrase, place_of
from branchline.core.mapfile.schema import CardColour, MapData, Pair

MAX_SEATS: Final = 8


def check_file(file: MapData) -> Iterator[MapProblem]:
    """What is wrong with a file whose every field is well formed."""
    if "en" not in file.name:
        yield MapProblem("name.en", phrase("missing"), phrase("english_name"))
    low, high = file.seats
    if not 1 <= low <= high <= MAX_SEATS:
        found = phrase("from_to", low=low, high=high)
        yield MapProblem("seats", found, phrase("seats", most=MAX_SEATS))
    if len(set(file.colours)) < len(file.colours):
        yield MapProblem("colours", phrase("colour_twice"), phrase("each_colour"))
    for i, route in enumerate(file.routes):
        place = place_of("routes", i, {"between": route.between})
        if route.colour not in (*file.colours, "gray"):
            known = as_is(", ".join((*file.colours, "gray")))
            yield MapProblem(f"{place}.colour", as_is(route.colour), known)
        if route.locomotives > route.length:
            found = as_is(route.locomotives)
            yield MapProblem(f"{place}.locomotives", found, phrase("up_to_length"))
        if route.any_cards == 1:
            yield MapProblem(f"{place}.any_cards", as_is(1), phrase("two_or_none"))
    yield from _check_words(file)
    yield from _check_pairs(file, "routes", [r.between for r in file.routes], 2)
    yield from _check_pairs(file, "tickets", [t.between for t in file.tickets], 1)
    first, *others = file.cities
    reached = {first}
    for _ in others:
        reached |= {c for r in file.routes if not reached.isdisjoint(r.between) for c in r.between}
    apart = ", ".join(city for city in others if city not in reached)
    if apart and reached <= file.cities.keys():
        found = phrase("no_way", city=first, others=cut(apart))
        yield MapProblem("routes", found, phrase("one_network"))


def _check_words(file: MapData) -> Iterator[MapProblem]:
    for lang, words in file.words.items():
        own = {c: getattr(words, c) for c in get_args(CardColour) if getattr(words, c)}
        letters: dict[str, str] = {}
        letters |= {c: say(f"words.colour.{c}.letter", lang) for c in file.colours}
        letters |= {c: own[c].letter or own[c].name[0].upper() for c in own}
        letters["locomotive"] = "L"
        for colour in own:
            place = f"words.{lang}.{colour}"
            if colour not in file.colours:
                yield MapProblem(place, phrase("no_colour"), as_is(", ".join(file.colours)))
            for other in letters:
                if other != colour and letters[other] == letters[colour]:
                    found = phrase("same_letter", letter=letters[colour], other=other)
                    yield MapProblem(f"{place}.letter", found, phrase("own_letters"))


def _check_pairs(file: MapData, name: str, pairs: list[Pair], limit: int) -> Iterator[MapProblem]:
    for i, pair in enumerate(pairs):
        place = place_of(name, i, {"between": pair})
        for city in pair:
            if city not in file.cities:
                yield no_city(f"{place}.between", city, file.cities)
        if pair[0] == pair[1]:
            yield MapProblem(f"{place}.between", phrase("same_city"), phrase("two_cities"))
        elif sum(set(earlier) == set(pair) for earlier in pairs[:i]) == limit:
            yield MapProblem(place, phrase(f"too_many_{name}"), phrase("up_to", most=limit))
