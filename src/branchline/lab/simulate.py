"""Playing a simulation on all cores; what is kept in a folder can be taken up again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline.lab.pool import Batch, batches
from branchline.lab.progress import progress_bar
from branchline.lab.simulation import Played, Simulation
from branchline.lab.store import Store
from branchline.lab.summary import Summary


def run(
    plan: Simulation, lang: str, processes: int, folder: str | None = None, ray: str | None = None
) -> list[Summary]:
    """Play what is not yet played; gives a summary for each table."""
    summaries = [Summary(t.board, t.source["name"], t.seats, t.bots) for t in plan.tables]
    if folder is None:
        for batch in _play(plan, plan.ranges(), lang, processes, ray):
            _count(summaries, batch.results, batch.seconds)
        return summaries
    store = Store(folder, plan)
    for found in store.parts():
        _count(summaries, found, 0.0)
    if not store.finished:
        for batch in _play(plan, store.missing(), lang, processes, ray):
            store.add(batch.first, batch.results)
            _count(summaries, batch.results, batch.seconds)
        store.finish(_sources(summaries))
    return summaries


def _play(
    plan: Simulation, todo: Sequence[range], lang: str, processes: int, ray: str | None
) -> Iterator[Batch[Played]]:
    total, left = sum(plan.games), sum(len(items) for items in todo)
    with progress_bar(total, lang, total - left) as bar:
        for batch in batches(plan, [items for items in todo if items], processes, ray):
            if batch.results:
                table = plan.tables[batch.results[-1].table]
                bar.advance(len(batch), f"{table.board} ×{table.seats}")
                yield batch


def _count(summaries: list[Summary], found: Sequence[Played], seconds: float) -> None:
    for played in found:
        summaries[played.table].add(played.result)
    if found:
        summaries[found[0].table].seconds += seconds


def _sources(summaries: Sequence[Summary]) -> list[str]:
    return sorted({source for summary in summaries for source in summary.points})
