import torch
from torch.utils.data import DataLoader


def pad_collate(samples, padding_value=0):
    longest = max(len(sequence) for sequence, _ in samples)
    padded = samples[0][0].new_full((len(samples), longest), padding_value)
    for row, (sequence, _) in zip(padded, samples):
        row[: len(sequence)] = sequence
    lengths = torch.tensor([len(sequence) for sequence, _ in samples])
    return padded, lengths, torch.tensor([label for _, label in samples])


def make_loader(dataset, batch_size, seed, shuffle=True, num_workers=0):
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(
        dataset, batch_size, shuffle, num_workers=num_workers, collate_fn=pad_collate, generator=generator
    )
