import torch

layer = torch.nn.Linear(3, 2, bias=False)
with torch.no_grad():
    layer.weight.copy_(torch.tensor([[0.1, -2.0, 0.3], [-0.2, 1.0, -0.05]]))
masks = global_masks([layer.weight], 0.5)
print(masks[0])
apply_masks([layer.weight], masks)
print(layer.weight)

optimizer = torch.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)
layer(torch.ones(1, 3)).sum().backward()
masked_step(optimizer, [layer.weight], masks)
print(layer.weight)
