import torch
import torch.nn.functional as F
from torch import nn


def collate(sequences):
    raise NotImplementedError


class TextClassifier(nn.Module):
    def __init__(self, vocab, classes):
        super().__init__()
        raise NotImplementedError

    def forward(self, tokens, padding):
        raise NotImplementedError


def fit(sequences, labels, vocab, classes):
    """__DOC__"""
    raise NotImplementedError


def predict(model, sequences):
    raise NotImplementedError
