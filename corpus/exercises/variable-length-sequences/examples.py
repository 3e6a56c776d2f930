import torch
from torch import nn

torch.manual_seed(0)
rnn = nn.GRU(2, 3, batch_first=True)
batch = torch.randn(3, 4, 2)
lengths = torch.tensor([2, 4, 1])
outputs, last = encode(rnn, batch, lengths)
print("outputs", tuple(outputs.shape), "last", tuple(last.shape))
for i, n in enumerate(lengths.tolist()):
    alone, _ = rnn(batch[i : i + 1, :n])
    print("sample", i, "alone", alone[0, -1].tolist())
    print("sample", i, "last ", last[i].tolist())
print("first sample's outputs", outputs[0].tolist())
