from scaffold import Sequences

padded, lengths, labels = pad_collate([(torch.tensor([5, 6, 7]), 1), (torch.tensor([8]), 0)], padding_value=-1)
print("padded: ", padded.tolist())
print("lengths:", lengths.tolist(), lengths.dtype)
print("labels: ", labels.tolist(), labels.dtype)

data = Sequences([torch.arange(n) for n in (3, 1, 4, 1, 5, 2, 6)], list(range(7)))
loader = make_loader(data, batch_size=3, seed=7)
for epoch in range(2):
    print(f"epoch {epoch}:", [labels.tolist() for _, _, labels in loader])
again = make_loader(data, batch_size=3, seed=7)
print("again:  ", [labels.tolist() for _, _, labels in again])
print("shapes: ", [tuple(padded.shape) for padded, _, _ in make_loader(data, 3, seed=7, shuffle=False)])
