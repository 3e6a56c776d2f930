import torch


def fit(model, loss_fn, optimizer, train_loader, val_loader, epochs):
    history = []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in train_loader:
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss * len(y)
            count += len(y)

        model.eval()
        val_total, val_count = 0.0, 0
        with torch.no_grad():
            for x, y in val_loader:
                val_total += loss_fn(model(x), y).item() * len(y)
                val_count += len(y)
        history.append((total / count, val_total / val_count))
    return history
