import torch
import torch.nn.functional as F
from torch import nn


class ShapeNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.a = nn.Conv2d(1, 12, 5, padding=2)
        self.b = nn.Conv2d(12, 24, 3, padding=1)
        self.c = nn.Conv2d(24, 32, 3, padding=1)
        self.out = nn.Linear(32, classes)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.a(x)), 2)
        x = F.max_pool2d(torch.relu(self.b(x)), 2)
        return self.out(torch.relu(self.c(x)).amax((2, 3)))


def _prepare(images):
    x = images.float()[:, None]
    return (x - x.mean()) / (x.std() + 1e-6)


def fit(images, labels, classes):
    model = ShapeNet(classes).train()
    x, n = _prepare(images), len(images)
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for _ in range(20):
        for idx in torch.randperm(n).split(32):
            opt.zero_grad()
            F.cross_entropy(model(x[idx]), labels[idx]).backward()
            opt.step()
    return model.eval()


@torch.no_grad()
def predict(model, images):
    return model(_prepare(images)).argmax(1)
