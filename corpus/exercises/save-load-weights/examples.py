import tempfile
from torch import nn

torch.manual_seed(0)


def build():
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    return model, optimizer, torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)


def train(model, optimizer, scheduler, steps):
    losses = []
    for _ in range(steps):
        loss = model(torch.randn(8, 3)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(round(loss.item(), 6))
    return losses


run = build()
path = os.path.join(tempfile.mkdtemp(), "run.pt")
train(*run, 3)
save_checkpoint(path, *run, 3)
print("live run   ", train(*run, 4))
fresh = build()
print("epoch      ", load_checkpoint(path, *fresh))
print("resumed run", train(*fresh, 4))
