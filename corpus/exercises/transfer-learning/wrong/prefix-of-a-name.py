import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, backbone: nn.Module, features: int, classes: int) -> None:
        super().__init__()
        self.backbone = backbone.requires_grad_(False)
        self.head = nn.Linear(features, classes)
        self.unfrozen: list[str] = []
        self.train(self.training)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.backbone(x))

    def train(self, mode: bool = True) -> "Classifier":
        super().train(mode)
        self.backbone.eval()
        for name in self.unfrozen:
            self.backbone.get_submodule(name).train(mode)
        return self

    def unfreeze(self, name: str) -> None:
        for full, p in self.backbone.named_parameters():
            if full.startswith(name):
                p.requires_grad_(True)
        self.unfrozen.append(name)
        self.train(self.training)

    def param_groups(self, lr: float, backbone_lr: float) -> list[dict]:
        groups = [{"params": list(self.head.parameters()), "lr": lr}]
        trained = [p for p in self.backbone.parameters() if p.requires_grad]
        if trained:
            groups.append({"params": trained, "lr": backbone_lr})
        return groups
