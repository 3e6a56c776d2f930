import torch


def fit(model, loss_fn, optimizer, train_loader, val_loader, epochs):
    """__DOC__"""
    raise NotImplementedError
