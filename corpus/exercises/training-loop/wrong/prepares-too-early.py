import torch


def _epoch(model, loss_fn, loader, optimizer=None):
    total = count = 0
    model.train(optimizer is not None)
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            loss = loss_fn(model(x), y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(x)
            count += len(x)
    return total / count


def fit(model, loss_fn, optimizer, train_loader, val_loader, epochs):
    optimizer.zero_grad()
    model.train()
    return [(_epoch(model, loss_fn, train_loader, optimizer), _epoch(model, loss_fn, val_loader)) for _ in range(epochs)]
