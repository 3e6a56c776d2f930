torch.manual_seed(0)
block = nn.Sequential(nn.Linear(16, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 1))


def kept(module, x):
    sizes = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: sizes.append(t.numel()) or t, lambda t: t):
        loss = module(x).square().mean()
    loss.backward()
    return sum(sizes)


for module in (block, Checkpoint(block)):
    block.zero_grad()
    x = torch.ones(64, 16, requires_grad=True)
    print(kept(module, x), "elements kept, gradient", round(block[0].weight.grad.norm().item(), 6), round(x.grad.norm().item(), 6))
