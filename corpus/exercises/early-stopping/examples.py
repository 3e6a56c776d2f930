torch.manual_seed(0)
model = nn.Linear(2, 1)
stopper = EarlyStopper(patience=2, min_delta=0.05)
for epoch, loss in enumerate([0.9, 0.7, 0.68, float("nan"), 0.4]):
    with torch.no_grad():
        model.weight.fill_(epoch)
    stop = stopper.step(loss, model)
    print(f"epoch {epoch}: loss {loss}, best {stopper.best} at {stopper.best_step}, stop {stop}")
    if stop:
        break
print("last weights:", model.weight.tolist())
stopper.restore(model)
print("restored:    ", model.weight.tolist())
