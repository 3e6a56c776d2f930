import torch

layer = torch.nn.Linear(2, 2)
layer.weight.grad = torch.tensor([[3.0, 0.0], [0.0, 0.0]])
layer.bias.grad = torch.tensor([0.0, 4.0])
print("norm", clip_gradients(layer.parameters(), 1.0))
print("weight.grad", layer.weight.grad.tolist())
print("bias.grad", layer.bias.grad.tolist())

print("norm", clip_gradients(layer.parameters(), 10.0))
print("bias.grad", layer.bias.grad.tolist())

layer.bias.grad[0] = float("nan")
print("norm", clip_gradients(layer.parameters(), 1.0))
print("weight.grad", layer.weight.grad.tolist())
