import torch


def loss_with_graph(value):
    """A loss tensor as training code has it, with its graph."""
    weight = torch.tensor(value, requires_grad=True)
    return weight * 1.0


def zero(tensor):
    """Overwrite a tensor, as a running total does."""
    with torch.no_grad():
        tensor.zero_()


def make_optimizer(model):
    return torch.optim.SGD(model.parameters(), lr=1.0)


def train(model, optimizer, x):
    """One update with an optimizer that was made earlier."""
    model.train()
    optimizer.zero_grad()
    (model(x) ** 2).mean().backward()
    optimizer.step()
