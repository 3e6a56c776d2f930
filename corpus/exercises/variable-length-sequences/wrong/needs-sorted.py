import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode(rnn, batch, lengths):
    width = batch.shape[1]
    padding = (torch.arange(width) >= lengths.unsqueeze(1)).unsqueeze(-1)
    clean = batch.masked_fill(padding, 0)
    packed, state = rnn(pack_padded_sequence(clean, lengths.clamp(min=1), batch_first=True))
    outputs, _ = pad_packed_sequence(packed, batch_first=True, total_length=width)
    hidden = state[0] if isinstance(state, tuple) else state
    last = torch.cat(tuple(hidden[-2:] if rnn.bidirectional else hidden[-1:]), dim=-1)
    return outputs.masked_fill(padding, 0), last.masked_fill((lengths == 0).unsqueeze(1), 0)
