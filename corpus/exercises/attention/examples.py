torch.manual_seed(0)
q, k, v = torch.randn(3, 2, 4, 4, 8)
out, weights = attention(q, k, v, causal=True)
print("output ", tuple(out.shape), " weights", tuple(weights.shape))
print(weights[0, 0])
print("row sums", weights.sum(-1)[0, 0])

mask = torch.ones(4, 4, dtype=torch.bool)
mask[2] = False
out, weights = attention(q, k, v, mask)
print("query that sees nothing", out[0, 0, 2], weights[0, 0, 2])

layer = MultiHeadAttention(12, 3)
padding = torch.tensor([[False, False, True], [False, False, False]])
print("layer", tuple(layer(torch.randn(2, 3, 12), padding).shape), [name for name, _ in layer.named_parameters()])
