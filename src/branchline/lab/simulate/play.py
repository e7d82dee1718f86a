"""Playing a simulation on all cores. One that is kept in a folder can be continued."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline.lab.run.progress import progress_bar
from branchline.lab.run.worker_pool import Batch, batches
from branchline.lab.simulate.results_folder import ResultsFolder
from branchline.lab.simulate.simulation import SimulatedGame, Simulation
from branchline.lab.simulate.summary import Summary


def run(
    plan: Simulation, lang: str, processes: int, folder: str | None = None, ray: str | None = None
) -> list[Summary]:
    """Play what has not been played yet, and return a summary for each line-up."""
    summaries = [Summary(t.board, t.source["name"], t.seats, t.bots) for t in plan.line_ups]
    if folder is None:
        for batch in _play(plan, plan.ranges(), lang, processes, ray):
            _count(summaries, batch.results, batch.seconds)
        return summaries
    results = ResultsFolder(folder, plan)
    for found in results.parts():
        _count(summaries, found, 0.0)
    if not results.finished:
        for batch in _play(plan, results.missing(), lang, processes, ray):
            results.add(batch.first, batch.results)
            _count(summaries, batch.results, batch.seconds)
        results.finish(_sources(summaries))
    return summaries


def _play(
    plan: Simulation, todo: Sequence[range], lang: str, processes: int, ray: str | None
) -> Iterator[Batch[SimulatedGame]]:
    total, left = sum(plan.games), sum(len(items) for items in todo)
    with progress_bar(total, lang, total - left) as bar:
        for batch in batches(plan, [items for items in todo if items], processes, ray):
            if batch.results:
                line_up = plan.line_ups[batch.results[-1].line_up]
                bar.advance(len(batch), f"{line_up.board} ×{line_up.seats}")
                yield batch


def _count(summaries: list[Summary], found: Sequence[SimulatedGame], seconds: float) -> None:
    for played in found:
        summaries[played.line_up].add(played.result)
    if found:
        summaries[found[0].line_up].seconds += seconds


def _sources(summaries: Sequence[Summary]) -> list[str]:
    return sorted({source for summary in summaries for source in summary.points})
