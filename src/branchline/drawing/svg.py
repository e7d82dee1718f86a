"""A drawing as a picture: a whole SVG file that stands by itself."""

from __future__ import annotations

from html import escape

from branchline.core.board import GRAY, Board, Route
from branchline.drawing.format import CityPlace, Drawing, Frame, Furniture, Palette, RoutePlace
from branchline.drawing.symbols import PAINTS, sprite

SANS = "'Inter','Segoe UI','Helvetica Neue',Arial,'Liberation Sans',sans-serif"
SERIF = "'Palatino Linotype',Palatino,'Book Antiqua',Georgia,'Liberation Serif',serif"


def draw_svg(board: Board, drawing: Drawing, lang: str = "en", theme: str = "light") -> str:
    """The picture of a board, in a language, for a light or a dark page.

    >>> from branchline.core.mapfile import load_board
    >>> from branchline.drawing.store import drawing_for
    >>> board = load_board("usa")
    >>> picture = draw_svg(board, drawing_for(board), "fr")
    >>> picture.startswith("<svg") and "La Nouvelle-Orléans" in picture
    True
    """
    palette = drawing.palettes[theme]
    routes = list(zip(board.routes, drawing.routes, strict=True))
    layers = [
        _defs(drawing, palette),
        _ground(drawing, palette),
        _group("tracks", [_track(route, place, palette) for route, place in routes]),
        _group("routes", [_route(board, route, place, drawing, lang) for route, place in routes]),
        _group("places", [_place(place, palette) for place in drawing.places]),
        _group("dots", [_dot(city, drawing, palette) for city in drawing.cities.values()]),
        _group("labels", [_label(city, drawing, lang) for city in drawing.cities.values()]),
        _title(board.named(lang), drawing.title, palette),
        _compass(drawing.compass, palette),
    ]
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
        f'aria-label="{escape(board.named(lang))}">{"".join(layers)}</svg>'
    )


def _group(name: str, items: list[str]) -> str:
    return f'<g class="{name}">{"".join(items)}</g>'


def _defs(drawing: Drawing, p: Palette) -> str:
    car, half = drawing.car, drawing.car.width / 2
    return (
        f"<style>text{{font-family:{SANS}}}"
        f".labels text{{font-size:{drawing.font:g}px;font-weight:600;fill:{p.label};stroke:{p.halo};"
        f"stroke-width:3.4px;stroke-linejoin:round;paint-order:stroke}}</style><defs>{sprite()}"
        f'<radialGradient id="sea" cx="50%" cy="45%" r="75%"><stop offset="35%" stop-color="{p.sea}"/>'
        f'<stop offset="100%" stop-color="{p.sea_deep}"/></radialGradient>'
        '<pattern id="waves" width="64" height="40" patternUnits="userSpaceOnUse">'
        f'<path d="M4 10q5-4 10 0t10 0M36 30q5-4 10 0t10 0" fill="none" stroke="{p.shore}" '
        'stroke-width="1.2" opacity=".55"/></pattern>'
        '<pattern id="grain" width="7" height="7" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(28)"><circle cx="2" cy="2" r=".7" fill="{p.land_edge}" '
        'opacity=".16"/></pattern>'
        f'<clipPath id="frame"><rect width="{drawing.width:g}" height="{drawing.height:g}"/></clipPath>'
        f'<rect id="car" x="{-car.length / 2:g}" y="{-half:g}" width="{car.length:g}" '
        f'height="{car.width:g}" rx="2.6"/>'
        f'<path id="roof" d="M{-car.length / 2 + 3:g} {-half + 2.6:g}H{car.length / 2 - 3:g}" '
        'stroke="#fff" stroke-opacity=".45" stroke-width="1.1" stroke-linecap="round"/>'
        f'<rect id="tunnel" x="{-car.length / 2 - 1.2:g}" y="{-half - 1.2:g}" '
        f'width="{car.length + 2.4:g}" height="{car.width + 2.4:g}" rx="2.5" fill="none" '
        'stroke-width="2.6" stroke-dasharray="3 2.2"/></defs>'
    )


def _ground(drawing: Drawing, p: Palette) -> str:
    whole = f'width="{drawing.width:g}" height="{drawing.height:g}"'
    land, water = "".join(drawing.land), "".join(drawing.water)
    parks, borders = "".join(drawing.parks), "".join(drawing.borders)
    glow = "".join(
        f'<path d="{land}" fill="none" stroke="{p.shore}" stroke-width="{wide}" opacity="{much}" '
        'stroke-linejoin="round"/>'
        for wide, much in ((30, 0.25), (18, 0.4), (8, 0.7))
    )
    edge = f'stroke="{p.land_edge}" stroke-width="1.3" stroke-linejoin="round"'
    return (
        f'<g class="ground" clip-path="url(#frame)"><rect {whole} fill="url(#sea)"/>'
        f'<rect {whole} fill="url(#waves)"/>{glow}'
        f'<path d="{land}" fill="{p.land}" fill-rule="evenodd" {edge}/>'
        f'<path d="{land}" fill="url(#grain)" fill-rule="evenodd"/>'
        f'<path d="{parks}" fill="{p.park}"/><path d="{water}" fill="{p.sea}" {edge}/>'
        f'<path d="{borders}" fill="none" stroke="{p.border}" stroke-width="1.4" '
        'stroke-dasharray="7 4" stroke-linejoin="round"/></g>'
    )


def _track(route: Route, place: RoutePlace, p: Palette) -> str:
    dash = "1 5" if route.locomotives else "none"
    return (
        f'<path d="{place.path}" fill="none" stroke="{p.track}" stroke-width="2" '
        f'stroke-linecap="round" stroke-dasharray="{dash}" opacity=".8"/>'
    )


def _route(board: Board, route: Route, place: RoutePlace, drawing: Drawing, lang: str) -> str:
    name = "gray" if route.colour == GRAY else board.colours[route.colour]
    paint = PAINTS[name]
    cars = []
    for k, (x, y, angle) in enumerate(place.spaces):
        turn = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
        inside = f'<use href="#car" fill="{paint.fill}" stroke="{paint.edge}"/><use href="#roof"/>'
        if route.tunnel:
            inside = f'<use href="#tunnel" stroke="{paint.edge}"/>' + inside
        if k < route.locomotives:
            inside += (
                '<circle r="6.6" fill="#fffdf6" stroke="#3a3226" stroke-width="1"/>'
                + _symbol("locomotive", "#3a3226", 9.6)
            )
        elif name != "gray":
            inside += _symbol(name, paint.symbol, 8.6)
        cars.append(f'<g transform="translate({x:g} {y:g}) rotate({turn:.1f})">{inside}</g>')
    title = f"{board.route_name(route.index, lang)} · {route.length}"
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
        f'<circle {at} r="{drawing.dot:g}" fill="{p.dot_edge}" stroke="{p.dot}" stroke-width="1.2"/>'
        f'<circle {at} r="{drawing.dot - 2.4:g}" fill="{p.dot}"/>'
    )


def _label(city: CityPlace, drawing: Drawing, lang: str) -> str:
    label = city.label
    lines = label.lines.get(lang) or label.lines["en"]
    return "".join(
        f'<text x="{label.x:g}" y="{label.y + k * drawing.line:g}" '
        f'text-anchor="{label.anchor}">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )


def _place(place: Furniture, p: Palette) -> str:
    at = f'<g transform="translate({place.x:g} {place.y:g})">'
    if place.rule == "attractions":
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
        f'style="font-family:{SERIF};font-size:{size:g}px;letter-spacing:.08em;'
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
