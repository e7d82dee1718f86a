"""The same games on a Ray cluster."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from branchline.lab.asked import simulation
from branchline.lab.cluster import check_reachable
from branchline.lab.errors import LabError
from branchline.lab.simulate import run

WHY = "Ray is not installed: pip install branchline[ray]"


@pytest.mark.skipif(find_spec("ray") is None, reason=WHY)
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_cluster_plays_the_same_games() -> None:
    plan = simulation("new_york", [], None, "paths,greedy", 40, "t", 1.0, False, False)
    [there] = run(plan, "en", 1, ray="local")
    [here] = run(plan, "en", 1)
    assert {**there.to_dict(), "seconds": 0} == {**here.to_dict(), "seconds": 0}


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_the_way_to_it_is_shown() -> None:
    plan = simulation("new_york", [], None, "paths,greedy", 4, "t", 1.0, False, False)
    with pytest.raises(LabError) as caught:
        run(plan, "en", 1, ray="local")
    assert "branchline[ray]" in caught.value.text("en")


def test_an_address_where_nobody_listens_is_refused_at_once() -> None:
    with pytest.raises(LabError, match="no_cluster"):
        check_reachable("ray://127.0.0.1:1")
    check_reachable("auto")
