class Model(torch.nn.Module):
    def __init__(self, planted):
        super().__init__()
        self.encoder, self.head = torch.nn.Linear(4, 16), torch.nn.Linear(16, 1)
        self.planted = planted

    def forward(self, x):
        h = torch.relu(self.encoder(x))
        return self.head(h.detach() if self.planted else h).squeeze(1)


torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16)
for planted in (False, True):
    model = Model(planted)
    print(planted, gradient_report(model, torch.nn.functional.mse_loss, x, y))
print("healthy:", overfits(Model(False), torch.nn.functional.mse_loss, x, y, 300, 0.02, 0.01))
print("targets of another shape:", overfits(Model(False), lambda p, t: (p - t[:, None]).square().mean(), x, y, 300, 0.02, 0.01))
