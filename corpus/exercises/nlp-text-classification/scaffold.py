import random

import torch

VOCAB = 12


def sentences(count, first=1, second=2):
    """Lists of token ids 1..11, and labels: 0 where `first` stands before `second`, 1 where it stands after."""
    others = [word for word in range(1, VOCAB) if word not in (first, second)]
    texts, labels = [], []
    for _ in range(count):
        text = random.choices(others, k=random.randint(0, 7))
        label = random.randint(0, 1)
        i, j = sorted(random.sample(range(len(text) + 2), 2))
        text.insert(i, second if label else first)
        text.insert(j, first if label else second)
        texts.append(text)
        labels.append(label)
    return texts, torch.tensor(labels)
