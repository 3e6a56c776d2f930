torch.manual_seed(0)


class Root(torch.nn.Module):
    def forward(self, x):
        return x.sqrt()


model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Sequential(Root(), torch.nn.Tanh()), torch.nn.Linear(4, 1))
with torch.no_grad():
    model[0].bias.fill_(2.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batches = [(torch.rand(2, 3) * scale, torch.zeros(2, 1)) for scale in (1.0, 1.0, 100.0, 1.0)]
print(train(model, optimizer, torch.nn.MSELoss(), batches))
print("weights finite:", all(p.isfinite().all().item() for p in model.parameters()))
