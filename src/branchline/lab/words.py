"""Numbers as readers of a language write them."""

from __future__ import annotations

from branchline.core.catalogue import say


def number(value: float, digits: int, lang: str, sign: bool = False) -> str:
    """A number with so many decimals and a true minus; with `sign`, a plus as well.

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
    return f"{int(digits):,}".replace(",", say("lab.thousands", lang))


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
