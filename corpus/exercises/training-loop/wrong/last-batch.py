import torch


def fit(model, loss_fn, optimizer, train_loader, val_loader, epochs):
    history = []
    for _ in range(epochs):
        model.train()
        for x, y in train_loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            last = loss.item()

        model.eval()
        val_total, val_count = 0.0, 0
        with torch.no_grad():
            for x, y in val_loader:
                val_total += loss_fn(model(x), y).item() * len(y)
                val_count += len(y)
        history.append((last, val_total / val_count))
    return history
