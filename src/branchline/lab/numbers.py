"""Numbers as readers of a language write them."""

from __future__ import annotations

from collections.abc import Mapping

from branchline.core.catalogue import say
from branchline.lab.stats import Estimate


def number(value: float, digits: int, lang: str, sign: bool = False) -> str:
    """A number with this many decimals and a true minus; with `sign`, a plus as well.

    >>> number(-1.25, 1, "fr"), number(3, 1, "en", sign=True), number(-0.01, 1, "en")
    ('−1,2', '+3.0', '0.0')
    """
    text = f"{abs(value):.{digits}f}"
    whole, point, rest = text.partition(".")
    whole = grouped(whole, lang)
    shown = whole + (say("lab.decimal", lang) + rest if point else "")
    if not any(c in "123456789" for c in text):
        return shown
    if value < 0:
        return "−" + shown
    return "+" + shown if sign else shown


def grouped(digits: str, lang: str) -> str:
    """A whole number in groups of three, from five digits on.

    >>> grouped("1234", "en"), grouped("12345", "en")
    ('1234', '12,345')
    """
    if len(digits) < 5:
        return digits
    return f"{int(digits):,}".replace(",", say("lab.thousands", lang)[1:-3])


def percent(share: float, digits: int, lang: str) -> str:
    """A share of 1 in hundredths.

    >>> percent(0.5, 1, "en")
    '50.0%'
    """
    return say("lab.percent", lang, x=number(100 * share, digits, lang))


def percent_span(low: float, high: float, digits: int, lang: str) -> str:
    """An interval of shares.

    >>> percent_span(0.25, 0.5, 0, "en")
    '25–50%'
    """
    ends = f"{number(100 * low, digits, lang)}–{number(100 * high, digits, lang)}"
    return say("lab.percent", lang, x=ends)


def span(low: float, high: float, digits: int, lang: str, sign: bool = False) -> str:
    """An interval of numbers that may be negative.

    >>> span(-1, 2, 1, "en", sign=True)
    '−1.0 to +2.0'
    """
    ends = number(low, digits, lang, sign), number(high, digits, lang, sign)
    return say("lab.span", lang, low=ends[0], high=ends[1])


def board_name(names: Mapping[str, str], lang: str) -> str:
    """A board's name in the language, or else in English."""
    return names.get(lang) or names["en"]


def source_name(what: str, lang: str) -> str:
    """A kind of score line; one that the catalogue does not know keeps its own name."""
    try:
        return say(f"lab.source.{what}", lang)
    except KeyError:
        return what


def estimate_words(e: Estimate, digits: int, lang: str, kind: str = "share") -> tuple[str, str]:
    """A value and its interval in words; `kind` is `share`, `signed` or `plain`."""
    if kind == "share":
        between = percent_span(e.low, e.high, digits, lang) if e.known else ""
        return percent(e.value, digits, lang), between or say("lab.no_interval", lang)
    sign = kind == "signed"
    between = span(e.low, e.high, digits, lang, sign) if e.known else ""
    return number(e.value, digits, lang, sign), between or say("lab.no_interval", lang)


def value_with_interval(e: Estimate, digits: int, lang: str, kind: str = "share") -> str:
    """A value with its interval in brackets."""
    value, interval = estimate_words(e, digits, lang, kind)
    return f"{value} ({interval})" if e.known else value
