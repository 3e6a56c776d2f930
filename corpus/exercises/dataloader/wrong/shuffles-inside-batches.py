import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def pad_collate(samples, padding_value=0):
    sequences = [sequence for sequence, _ in samples]
    padded = pad_sequence(sequences, batch_first=True, padding_value=padding_value)
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    labels = torch.tensor([label for _, label in samples])
    return padded, lengths, labels


class Batches:
    def __init__(self, count, size, generator, shuffle):
        indices = list(range(count))
        self.batches = [indices[start : start + size] for start in range(0, count, size)]
        self.generator, self.shuffle = generator, shuffle

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        for batch in self.batches:
            if self.shuffle:
                batch = [batch[i] for i in torch.randperm(len(batch), generator=self.generator)]
            yield batch


def make_loader(dataset, batch_size, seed, shuffle=True, num_workers=0):
    generator = torch.Generator().manual_seed(seed)
    batches = Batches(len(dataset), batch_size, generator, shuffle)
    return DataLoader(
        dataset, batch_sampler=batches, num_workers=num_workers, collate_fn=pad_collate, generator=generator
    )
