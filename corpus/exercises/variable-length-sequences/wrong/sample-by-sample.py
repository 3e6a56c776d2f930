import torch


def encode(rnn, batch, lengths):
    sides = 2 if rnn.bidirectional else 1
    hidden = rnn.hidden_size
    outputs = batch.new_zeros(len(batch), batch.shape[1], sides * hidden)
    last = batch.new_zeros(len(batch), sides * hidden)
    for i, n in enumerate(lengths.tolist()):
        if n > 0:
            out, _ = rnn(batch[i : i + 1, :n])
            outputs[i, :n] = out[0]
            last[i, :hidden] = out[0, -1, :hidden]
            if rnn.bidirectional:
                last[i, hidden:] = out[0, 0, hidden:]
    return outputs, last
