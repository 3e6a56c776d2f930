torch.manual_seed(0)
layer = MyLinear(3, 2)
print(layer)
for name, value in layer.state_dict().items():
    print(name, tuple(value.shape), value.dtype)
print("bias=False:", list(MyLinear(3, 2, bias=False).state_dict()))
for shape in ((4, 3), (3,), (2, 5, 3), (0, 3)):
    print(shape, "->", tuple(layer(torch.ones(shape)).shape))
layer(torch.ones(4, 3)).sum().backward()
for name, parameter in layer.named_parameters():
    print(name, "grad", parameter.grad.tolist())
