torch.manual_seed(0)
layer = BatchNorm1d(3)
x = torch.randn(6, 3) * torch.tensor([1.0, 5.0, 0.1]) + torch.tensor([0.0, 10.0, -2.0])
out = layer(x)
print("train mean:", [round(v, 3) for v in out.mean(0).tolist()], "std:", [round(v, 3) for v in out.std(0).tolist()])
for name, value in layer.state_dict().items():
    print(f"{name:12}", [round(v, 3) for v in value.tolist()])
print("(N, C, L):", tuple(layer(torch.randn(4, 3, 5)).shape))
layer.eval()
print("eval, one sample:", layer(x[:1]).tolist())
layer.train()
try:
    layer(x[:1])
except ValueError as error:
    print("train, one sample:", error)
