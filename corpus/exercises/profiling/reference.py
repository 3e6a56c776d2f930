from collections.abc import Callable

from torch.profiler import ProfilerActivity, profile


def top_operators(records: list[dict], k: int = 5) -> list[tuple[str, int, int]]:
    """The k operators with the greatest self time, as (name, self time, calls)."""
    own = [r["end"] - r["start"] for r in records]
    order = sorted(range(len(records)), key=lambda i: (records[i]["thread"], records[i]["start"], -records[i]["end"]))
    open_: list[int] = []
    for i in order:
        record = records[i]
        while open_ and (
            records[open_[-1]]["thread"] != record["thread"] or records[open_[-1]]["end"] <= record["start"]
        ):
            open_.pop()
        if open_:
            own[open_[-1]] -= record["end"] - record["start"]
        open_.append(i)
    totals: dict[str, list[int]] = {}
    for record, time in zip(records, own, strict=True):
        entry = totals.setdefault(record["name"], [0, 0])
        entry[0] += time
        entry[1] += 1
    rows = [(name, time, calls) for name, (time, calls) in totals.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))[:k]


def count_operators(step: Callable[[], object], warmup: int, active: int) -> dict[str, int]:
    for _ in range(warmup):
        step()
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        for _ in range(active):
            step()
    return {event.key: event.count for event in prof.key_averages() if event.key.startswith("aten::")}
