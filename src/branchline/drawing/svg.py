"""A drawing as a picture: a whole SVG file that stands by itself."""

from __future__ import annotations

from html import escape

from branchline.core.board import GRAY, Board, Route
from branchline.drawing.file_format import (
    PRINTED,
    CityPlace,
    Drawing,
    Frame,
    Palette,
    PlaceBox,
    RoutePlace,
)
from branchline.drawing.places import Shape, places_of
from branchline.drawing.symbols import PAINTS, sprite

SANS = "'Inter','Segoe UI','Helvetica Neue',Arial,'Liberation Sans',sans-serif"
SERIF = "'Palatino Linotype',Palatino,'Book Antiqua',Georgia,'Liberation Serif',serif"


def draw_svg(
    board: Board, drawing: Drawing, lang: str = "en", theme: str = "light", cities: str = ""
) -> str:
    """The picture of a board, in a language, for a light or a dark page.

    `cities` is the language of city names; without one they are as printed on the board.

    >>> from branchline.core.mapfile import builtin_boards, load_board
    >>> from branchline.drawing.drawings import drawing_for
    >>> board = load_board(builtin_boards()[0])
    >>> picture = draw_svg(board, drawing_for(board), "fr")
    >>> picture.startswith("<svg") and board.cities[0].name in picture
    True
    """
    palette = drawing.palettes[theme]
    key = f"board-{drawing.board}-{theme}"  # several pictures may stand on one page
    routes = list(zip(board.routes, drawing.routes, strict=True))
    shapes = {(place.rule, place.id): place.shape for place in places_of(board)}
    layers = [
        _defs(drawing, palette, key),
        _ground(drawing, palette, key),
        _group("tracks", [_track(route, place, palette) for route, place in routes]),
        _group("routes", [_route(board, route, place, cities, theme) for route, place in routes]),
        _group(
            "places",
            [_place(place, shapes[place.rule, place.id], palette) for place in drawing.places],
        ),
        _group("dots", [_dot(city, drawing, palette) for city in drawing.cities.values()]),
        _group("labels", [_label(city, drawing, cities) for city in drawing.cities.values()]),
        _title(board.named(lang), drawing.title, palette),
        _compass(drawing.compass, palette),
    ]
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{key}" {size} role="img" '
        f'aria-label="{escape(board.named(lang))}">{"".join(layers)}</svg>'
    )


def _group(name: str, items: list[str]) -> str:
    return f'<g class="{name}">{"".join(items)}</g>'


def _defs(drawing: Drawing, p: Palette, key: str) -> str:
    length, width = drawing.car.length, drawing.car.width
    x, y = -length / 2, -width / 2
    label = (
        f"font-size:{drawing.font:g}px;font-weight:600;fill:{p.label};stroke:{p.halo};"
        "stroke-width:3.4px;stroke-linejoin:round;paint-order:stroke"
    )
    return (
        f"<style>.{key} text{{font-family:{SANS}}}.{key} .labels text{{{label}}}</style>"
        f'<defs>{sprite()}<radialGradient id="{key}-sea" cx="50%" cy="45%" r="75%">'
        f'<stop offset="35%" stop-color="{p.sea}"/>'
        f'<stop offset="100%" stop-color="{p.sea_deep}"/></radialGradient>'
        f"{_pattern(f'{key}-waves', 64, 40, drawing.texture.waves, p.shore, 0.55)}"
        f"{_pattern(f'{key}-grain', 48, 48, drawing.texture.grain, p.land_edge, 0.22)}"
        f'<clipPath id="{key}-frame"><rect {_size(drawing)}/></clipPath>'
        f'<rect id="car" x="{x:g}" y="{y:g}" width="{length:g}" height="{width:g}" rx="2.6"/>'
        f'<rect id="rim" x="{x - 0.9:g}" y="{y - 0.9:g}" width="{length + 1.8:g}" '
        f'height="{width + 1.8:g}" rx="3.4" fill="#fff8e8" fill-opacity=".8"/>'
        f'<path id="roof" d="M{x + 3:g} {y + 2.4:g}h{length - 6:g}" '
        'stroke="#fff" stroke-opacity=".45" stroke-width="1.1" stroke-linecap="round"/>'
        f'<rect id="tunnel" x="{x - 1.2:g}" y="{y - 1.2:g}" width="{length + 2.4:g}" '
        f'height="{width + 2.4:g}" rx="2.5" fill="none" stroke-width="2.6" '
        'stroke-dasharray="3 2.2"/></defs>'
    )


def _size(drawing: Drawing) -> str:
    return f'width="{drawing.width:g}" height="{drawing.height:g}"'


def _pattern(name: str, wide: int, high: int, path: str, colour: str, opacity: float) -> str:
    return (
        f'<pattern id="{name}" width="{wide}" height="{high}" patternUnits="userSpaceOnUse">'
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.1" '
        f'stroke-linecap="round" opacity="{opacity}"/></pattern>'
    )


def _ground(drawing: Drawing, p: Palette, key: str) -> str:
    whole = _size(drawing)
    land, water = "".join(drawing.land), "".join(drawing.water)
    parks, borders = "".join(drawing.parks), "".join(drawing.borders)
    glow = "".join(
        f'<path d="{land}" fill="none" stroke="{p.shore}" stroke-width="{wide}" opacity="{much}" '
        'stroke-linejoin="round"/>'
        for wide, much in ((30, 0.25), (18, 0.4), (8, 0.7))
    )
    edge = f'stroke="{p.land_edge}" stroke-width="1.3" stroke-linejoin="round"'
    return (
        f'<g class="ground" clip-path="url(#{key}-frame)"><rect {whole} fill="url(#{key}-sea)"/>'
        f'<rect {whole} fill="url(#{key}-waves)"/>{glow}'
        f'<path d="{land}" fill="{p.land}" fill-rule="evenodd" {edge}/>'
        f'<path d="{land}" fill="url(#{key}-grain)" fill-rule="evenodd"/>'
        f'<path d="{parks}" fill="{p.park}"/><path d="{water}" fill="{p.sea}" {edge}/>'
        f'<path d="{borders}" fill="none" stroke="{p.border}" stroke-width="1.4" '
        f'stroke-dasharray="7 4" stroke-linejoin="round"/></g>{_neatline(drawing, p)}'
    )


def _neatline(drawing: Drawing, p: Palette) -> str:
    """The double line around an old map."""
    return "".join(
        f'<rect x="{inset}" y="{inset}" width="{drawing.width - 2 * inset:g}" '
        f'height="{drawing.height - 2 * inset:g}" fill="none" stroke="{p.ink}" '
        f'stroke-width="{wide}" opacity=".5"/>'
        for inset, wide in ((6, 2.2), (10.5, 0.8))
    )


def _track(route: Route, place: RoutePlace, p: Palette) -> str:
    dash = "1 5" if route.locomotives else "none"
    return (
        f'<path d="{place.path}" fill="none" stroke="{p.track}" stroke-width="2" '
        f'stroke-linecap="round" stroke-dasharray="{dash}" opacity=".8"/>'
    )


def _route(board: Board, route: Route, place: RoutePlace, cities: str, theme: str) -> str:
    name = "gray" if route.colour == GRAY else board.colours[route.colour]
    paint = PAINTS[name]
    cars = []
    for k, (x, y, angle) in enumerate(place.spaces):
        turn = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
        inside = f'<use href="#car" fill="{paint.fill}" stroke="{paint.edge}"/><use href="#roof"/>'
        if theme == "dark":  # black cars on dark land would be lost
            inside = '<use href="#rim"/>' + inside
        if route.tunnel:
            teeth = "#f3e9d2" if theme == "dark" else paint.edge
            inside = f'<use href="#tunnel" stroke="{teeth}"/>' + inside
        if k < route.locomotives:
            inside += (
                '<circle r="6.6" fill="#fffdf6" stroke="#3a3226" stroke-width="1"/>'
                + _symbol("locomotive", "#3a3226", 9.6)
            )
        elif name != "gray":
            inside += _symbol(name, paint.symbol, 8.6)
        cars.append(f'<g transform="translate({x:g} {y:g}) rotate({turn:.1f})">{inside}</g>')
    title = f"{board.route_name(route.index, cities)} · {route.length}"
    return f"<g><title>{escape(title)}</title>{''.join(cars)}</g>"


def _symbol(name: str, colour: str, size: float) -> str:
    half = -size / 2
    return (
        f'<use href="#symbol-{name}" x="{half:g}" y="{half:g}" width="{size:g}" '
        f'height="{size:g}" color="{colour}"/>'
    )


def _dot(city: CityPlace, drawing: Drawing, p: Palette) -> str:
    at = f'cx="{city.x:g}" cy="{city.y:g}"'
    return (
        f'<circle {at} r="{drawing.dot:g}" fill="{p.dot_edge}" stroke="{p.dot}" '
        'stroke-width="1.2"/>'
        f'<circle {at} r="{drawing.dot - 2.4:g}" fill="{p.dot}"/>'
    )


def _label(city: CityPlace, drawing: Drawing, cities: str) -> str:
    label = city.label
    lines = label.lines.get(cities) or label.lines[PRINTED]
    return "".join(
        f'<text x="{label.x:g}" y="{label.y + k * drawing.line:g}" '
        f'text-anchor="{label.anchor}">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )


def _place(place: PlaceBox, shape: Shape, p: Palette) -> str:
    at = f'<g transform="translate({place.x:g} {place.y:g})">'
    if shape == "mark":
        return (
            f'{at}<circle r="{place.width / 2 - 0.5:g}" fill="{p.ink}"/>'
            + _symbol("yellow", p.halo, 11)
            + "</g>"
        )
    wide, high = place.width - 4, place.height - 4
    card = f'width="{wide:g}" height="{high:g}" rx="2.5" stroke="{p.ink}" stroke-width="1"'
    return (
        f'{at}<rect x="{-wide / 2 + 2:g}" y="{-high / 2 + 2:g}" {card} fill="{p.halo}"/>'
        f'<rect x="{-wide / 2 - 2:g}" y="{-high / 2 - 2:g}" {card} fill="{p.halo}"/>'
        f'<path d="M-14-8q5 5 9 0t9 0M-12-6l2 5 2-5M-3-6l2 5 2-5" fill="{p.dot}" stroke="{p.dot}" '
        'stroke-width=".8" fill-opacity=".9"/></g>'
    )


def _title(name: str, frame: Frame, p: Palette) -> str:
    x, y = frame.x + frame.width / 2, frame.y + frame.height / 2
    size = min(30.0, 1.7 * frame.width / max(1, len(name)))
    rules = "".join(
        f'<path d="M{frame.x + 10:g} {line:g}h{frame.width - 20:g}" stroke="{p.ink}" '
        'stroke-width="1" opacity=".55"/>'
        for line in (frame.y + 4, frame.y + frame.height - 4)
    )
    return (
        f'{rules}<text x="{x:g}" y="{y + size * 0.34:g}" text-anchor="middle" fill="{p.ink}" '
        f'stroke="{p.halo}" stroke-opacity=".7" stroke-width="4" stroke-linejoin="round" '
        f'style="font-family:{SERIF};font-size:{size:g}px;letter-spacing:.08em;'
        f'font-weight:600;paint-order:stroke">{escape(name)}</text>'
    )


def _compass(frame: Frame, p: Palette) -> str:
    x, y, r = frame.x + frame.width / 2, frame.y + frame.height / 2 + 4, frame.width / 2 - 8
    long, short = f"{r:g}", f"{r * 0.2:g}"
    rays = "".join(
        f'<path transform="rotate({turn})" d="M0-{long}L{short}-{short} 0 0z" fill="{p.ink}"/>'
        f'<path transform="rotate({turn})" d="M0-{long}L-{short}-{short} 0 0z" fill="{p.halo}" '
        f'stroke="{p.ink}" stroke-width=".6"/>'
        for turn in (0, 90, 180, 270)
    )
    return (
        f'<g transform="translate({x:g} {y:g})" opacity=".8"><circle r="{r * 0.62:g}" fill="none" '
        f'stroke="{p.ink}" stroke-width=".8"/>{rays}<text y="{-r - 2:g}" text-anchor="middle" '
        f'font-size="10" font-weight="700" fill="{p.ink}">N</text></g>'
    )
