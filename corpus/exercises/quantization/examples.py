import torch

x = torch.tensor([[-1.0, 0.0, 2.0], [0.01, 0.02, 0.03]])
for axis in (None, 0):
    scale, zero_point = choose_params(x, axis)
    q = quantize(x, scale, zero_point, axis)
    back = dequantize(q, scale, zero_point, axis)
    print("axis", axis, "scale", scale.tolist(), "zero_point", zero_point.tolist())
    print(q.tolist())
    print("largest error", (back - x).abs().amax(1).tolist())
