import torch

records = [
    {"name": "aten::linear", "thread": 1, "start": 0, "end": 100},
    {"name": "aten::addmm", "thread": 1, "start": 10, "end": 90},
    {"name": "aten::copy_", "thread": 1, "start": 10, "end": 40},
    {"name": "aten::copy_", "thread": 2, "start": 20, "end": 50},
]
for row in top_operators(records, 3):
    print(row)

x = torch.ones(8, 8)
counts = count_operators(lambda: x @ x, warmup=1, active=3)
print({name: count for name, count in counts.items() if name in ("aten::matmul", "aten::mm")})
