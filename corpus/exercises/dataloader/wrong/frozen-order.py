import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Subset


def pad_collate(samples, padding_value=0):
    sequences = [sequence for sequence, _ in samples]
    padded = pad_sequence(sequences, batch_first=True, padding_value=padding_value)
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    labels = torch.tensor([label for _, label in samples])
    return padded, lengths, labels


def make_loader(dataset, batch_size, seed, shuffle=True, num_workers=0):
    generator = torch.Generator().manual_seed(seed)
    if shuffle:
        dataset = Subset(dataset, torch.randperm(len(dataset), generator=generator).tolist())
    return DataLoader(dataset, batch_size, num_workers=num_workers, collate_fn=pad_collate, generator=generator)
