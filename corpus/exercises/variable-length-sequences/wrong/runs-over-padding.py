import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode(rnn, batch, lengths):
    width = batch.shape[1]
    padding = (torch.arange(width) >= lengths.unsqueeze(1)).unsqueeze(-1)
    clean = batch.masked_fill(padding, 0)
    outputs, _ = rnn(clean)
    outputs = outputs.masked_fill(padding, 0)
    last = outputs[torch.arange(len(lengths)), lengths.clamp(min=1) - 1]
    return outputs, last
