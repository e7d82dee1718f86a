"""The Province mat: trains next to the board that compete for lines."""

from __future__ import annotations

from branchline.core.catalogue import LANGUAGES
from branchline.rules.province_mat.params import ProvinceMatParams, check_mat
from branchline.rules.province_mat.rule import ProvinceMat
from branchline.rules.registration import add_check, add_rule


def _by_seats(table: dict[str, list[int]], seats: int) -> list[list[int]]:
    return [table.get(str(n), []) for n in range(seats + 1)]


add_rule(
    ProvinceMatParams,
    "KR-5",
    lambda c, v, b: ProvinceMat(
        c,
        b,
        [line.colour for line in v.lines],
        [{lang: getattr(line, lang) for lang in LANGUAGES} for line in v.lines],
        [line.spots for line in v.lines],
        _by_seats(v.scoring, b.seats_max),
    ),
)
add_check(check_mat)
