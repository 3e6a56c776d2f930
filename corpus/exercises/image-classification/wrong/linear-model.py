import torch
import torch.nn.functional as F
from torch import nn


class ShapeNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.head = nn.Linear(28 * 28, classes)

    def forward(self, x):
        return self.head(x.flatten(1))


def prepare(images):
    return images.unsqueeze(1).float() / 255


def fit(images, labels, classes):
    """Train a ShapeNet on uint8 images (N, 28, 28) and return it ready for predictions."""
    x, epochs, batch = prepare(images), 10, 32
    model = ShapeNet(classes).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=1e-2)
    steps = epochs * -(-len(x) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=steps)
    for _ in range(epochs):
        for index in torch.randperm(len(x)).split(batch):
            optimizer.zero_grad()
            F.cross_entropy(model(x[index]), labels[index]).backward()
            optimizer.step()
            schedule.step()
    return model.eval()


@torch.inference_mode()
def predict(model, images):
    return model(prepare(images)).argmax(1)
