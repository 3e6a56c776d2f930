import torch
from torch.profiler import ProfilerActivity, profile


def top_operators(records, k=5):
    own = [r["end"] - r["start"] for r in records]
    stacks = {}
    for j in sorted(range(len(records)), key=lambda j: (records[j]["start"], -records[j]["end"])):
        r = records[j]
        stack = stacks.setdefault(r["thread"], [])
        while stack and records[stack[-1]]["end"] <= r["start"]:
            stack.pop()
        if stack:
            own[stack[-1]] -= r["end"] - r["start"]
        stack.append(j)
    table = {}
    for r, t in zip(records, own):
        a, b = table.get(r["name"], (0, 0))
        table[r["name"]] = a + t, b + 1
    rows = [(name, a, b) for name, (a, b) in table.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))[:k]


def count_operators(step, warmup, active):
    for _ in range(warmup):
        step()
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        for _ in range(active):
            step()
    return {e.key: e.count for e in prof.key_averages()}
