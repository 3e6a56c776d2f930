import torch


def ring_all_reduce(tensor, comm):
    """__DOC__"""
    raise NotImplementedError


def average_gradients(parameters, samples, comm):
    raise NotImplementedError
