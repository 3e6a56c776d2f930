import torch

logits = torch.tensor([[2.0, 0.5, -1.0], [0.0, 3.0, 0.0]])
target = torch.tensor([0, 2])
print("loss", cross_entropy(logits, target))
print("smoothed", cross_entropy(logits, target, label_smoothing=0.1))
print("expected", torch.nn.functional.cross_entropy(logits, target, label_smoothing=0.1))

x = logits.clone().requires_grad_()
cross_entropy(x, target).backward()
print("gradient", x.grad)
print("large", cross_entropy(torch.tensor([[0.0, 1000.0]]), torch.tensor([1])))
print("empty", cross_entropy(torch.zeros(0, 3), torch.zeros(0, dtype=torch.int64)))
print("bfloat16 in", cross_entropy(logits.bfloat16(), target).dtype, "out")
