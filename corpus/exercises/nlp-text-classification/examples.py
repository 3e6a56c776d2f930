import time

from scaffold import VOCAB, sentences

torch.manual_seed(0)
texts, labels = sentences(400, first=1, second=2)
print(texts[:3], labels[:3].tolist())
tokens, padding = collate(texts[:3])
print(tokens, padding, sep="\n")
start = time.perf_counter()
model = fit(texts, labels, VOCAB, 2)
print("seconds:", round(time.perf_counter() - start, 1))
new, truth = sentences(400, first=1, second=2)
print("accuracy on new texts:", (predict(model, new) == truth).float().mean().item())
print(model(*collate([[1, 5, 2], [2, 5, 1], []])))
