import torch
import torch.nn.functional as F
from torch import nn


class ShapeNet(nn.Module):
    def __init__(self, classes):
        super().__init__()

        def block(before, after):
            return nn.Sequential(nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU())

        self.features = nn.Sequential(
            nn.AvgPool2d(2), block(1, 16), nn.MaxPool2d(2), block(16, 32), nn.MaxPool2d(2), block(32, 32), nn.AdaptiveAvgPool2d(1)
        )
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def prepare(images):
    return images.unsqueeze(1).float() / 255


def fit(images, labels, classes):
    """Train a ShapeNet on uint8 images (N, 28, 28) and return it ready for predictions."""
    x, epochs, batch = prepare(images), 10, 100
    model = ShapeNet(classes).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=1e-2)
    for _ in range(epochs):
        for index in torch.arange(len(x)).split(batch):
            optimizer.zero_grad()
            F.cross_entropy(model(x[index]), labels[index]).backward()
            optimizer.step()
    return model.eval()


@torch.inference_mode()
def predict(model, images):
    return model(prepare(images)).argmax(1)
