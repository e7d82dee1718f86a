"""A drawing as a picture: a whole SVG file that stands by itself."""

from __future__ import annotations

from html import escape

from branchline.core.board import GRAY, Board, Route
from branchline.drawing.file_format import (
    FONT,
    PRINTED,
    CityPlace,
    Drawing,
    Frame,
    Palette,
    PlaceBox,
    RoutePlace,
    SceneryPlace,
)
from branchline.drawing.labels import text_width
from branchline.drawing.places import Shape, places_of
from branchline.drawing.symbols import slot_paint, sprite

SANS = "Cabin,'Segoe UI','Helvetica Neue',Arial,'Liberation Sans',sans-serif"
SERIF = "Lora,'Palatino Linotype',Palatino,Georgia,'Liberation Serif',serif"


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
        _group("scenery", [_scenery(place, key) for place in drawing.scenery], ' opacity=".72"'),
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


def _group(name: str, items: list[str], more: str = "") -> str:
    return f'<g class="{name}"{more}>{"".join(items)}</g>'


def _defs(drawing: Drawing, p: Palette, key: str) -> str:
    length, width = drawing.car.length, drawing.car.width
    x, y = -length / 2, -width / 2
    label = (
        f"font-family:{SERIF};font-size:{drawing.font:g}px;font-weight:600;fill:{p.label};stroke:{p.halo};"
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
        f'<clipPath id="{key}-land"><path d="{"".join(drawing.land)}" clip-rule="evenodd"/>'
        f"</clipPath>{_art(drawing, p, key)}"
        f'<rect id="car" x="{x:g}" y="{y:g}" width="{length:g}" height="{width:g}" rx="3"/>'
        f'<rect id="hollow" x="{x + 2.9:g}" y="{y + 2.7:g}" width="{length - 5.8:g}" '
        f'height="{width - 5.4:g}" rx="1.6"/>'
        f'<rect id="tunnel" x="{x - 1.2:g}" y="{y - 1.2:g}" width="{length + 2.4:g}" '
        f'height="{width + 2.4:g}" rx="2.5" fill="none" stroke-width="2.6" '
        'stroke-dasharray="3 2.2"/></defs>'
    )


def _art(drawing: Drawing, p: Palette, key: str) -> str:
    """The small drawings in the colours of the palette, to be used by their names."""

    def colour(role: str) -> str:
        return str(getattr(p, role)) if role else "none"

    return "".join(
        f'<g id="{key}-{name}" stroke-linejoin="round" stroke-linecap="round">'
        + "".join(
            f'<path d="{path}" fill="{colour(fill)}" stroke="{colour(line)}" '
            f'stroke-width="{width:g}"/>'
            for fill, line, width, path in strokes
        )
        + "</g>"
        for name, strokes in drawing.art.items()
    )


def _scenery(place: SceneryPlace, key: str) -> str:
    x, y = place.x - place.size / 2, place.y - place.size / 2
    scale = f"{place.size / 40:.3g}"
    return f'<use href="#{key}-{place.art}" transform="translate({x:g} {y:g}) scale({scale})"/>'


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
    ranges, rivers = "".join(drawing.ranges), "".join(drawing.rivers)
    relief = "".join(
        f'<path d="{ranges}" fill="none" stroke="{p.land_edge}" stroke-width="{wide}" '
        f'opacity="{much}" stroke-linecap="round" stroke-linejoin="round"/>'
        for wide, much in ((104, 0.07), (66, 0.08), (34, 0.1))
    )
    return (
        f'<g class="ground" clip-path="url(#{key}-frame)"><rect {whole} fill="url(#{key}-sea)"/>'
        f'<rect {whole} fill="url(#{key}-waves)"/>{glow}'
        f'<path d="{land}" fill="{p.land}" fill-rule="evenodd" {edge}/>'
        f'<path d="{land}" fill="url(#{key}-grain)" fill-rule="evenodd"/>'
        f'<g clip-path="url(#{key}-land)">{relief}</g><path d="{parks}" fill="{p.park}"/>'
        f'<path d="{rivers}" fill="none" stroke="{p.sea}" stroke-width="2.4" '
        f'stroke-linecap="round"/><path d="{water}" fill="{p.sea}" {edge}/>'
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
    paint = slot_paint(name, theme)
    cars = []
    for k, (x, y, angle) in enumerate(place.spaces):
        turn = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
        inside = (
            f'<use href="#car" fill="{paint.band}" stroke="{paint.edge}"/>'
            f'<use href="#hollow" fill="{paint.hollow}"/>'
        )
        if route.tunnel:
            teeth = "#e8ddc4" if theme == "dark" else "#4c4438"
            inside = f'<use href="#tunnel" stroke="{teeth}"/>' + inside
        if k < route.locomotives:
            inside += (
                '<circle r="6.6" fill="#fffdf6" stroke="#3a3226" stroke-width="1"/>'
                + _symbol("locomotive", "#3a3226", 9.6)
            )
        elif name != "gray":
            inside += f'<circle r="4.9" fill="{paint.hollow}"/>'
            inside += _symbol(name, paint.symbol, 8.2)
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
    size = min(30.0, FONT * (frame.width - 52.0) / text_width(name))
    plates = "".join(
        f'<rect x="{frame.x + inset:g}" y="{frame.y + inset + 1:g}" rx="9" fill="{fill}" '
        f'width="{frame.width - 2 * inset:g}" height="{frame.height - 2 * inset - 2:g}" '
        f'fill-opacity=".88" stroke="{p.ink}" stroke-width="{wide}"/>'
        for inset, fill, wide in ((3, p.halo, 1.6), (6.6, "none", 0.8))
    )
    return (
        f'{plates}<text x="{x:g}" y="{y + size * 0.34:g}" text-anchor="middle" fill="{p.ink}" '
        f'style="font-family:{SERIF};font-size:{size:.3g}px;letter-spacing:.06em;'
        f'font-weight:600">{escape(name)}</text>'
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
