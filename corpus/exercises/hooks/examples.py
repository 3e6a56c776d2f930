torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(inplace=True), torch.nn.Linear(4, 2))
with record(model, ["0", "1"]) as seen:
    model(torch.ones(1, 3))
    model(torch.zeros(1, 3))
for name, outputs in seen.items():
    print(name, [[round(v, 3) for v in out.flatten().tolist()] for out in outputs])
print("hooks left:", sum(len(m._forward_hooks) for m in model.modules()))
