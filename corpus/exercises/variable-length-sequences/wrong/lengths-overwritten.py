import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode(rnn, batch, lengths):
    width = batch.shape[1]
    padding = torch.arange(width) >= lengths.unsqueeze(1)
    empty = (lengths == 0).unsqueeze(1)
    clean = batch.masked_fill(padding.unsqueeze(-1), 0)
    packed = pack_padded_sequence(clean, lengths.clamp_(min=1), batch_first=True, enforce_sorted=False)
    packed, state = rnn(packed)
    outputs, _ = pad_packed_sequence(packed, batch_first=True, total_length=width)
    hidden = state[0] if isinstance(state, tuple) else state
    directions = 2 if rnn.bidirectional else 1
    last = torch.cat(hidden[-directions:].unbind(0), dim=-1)
    return outputs.masked_fill(padding.unsqueeze(-1), 0), last.masked_fill(empty, 0)
