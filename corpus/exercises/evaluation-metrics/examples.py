target = torch.tensor([0, 0, 0, 0, 0, 0, 1, 1, 2, 2])
predicted = torch.tensor([0, 0, 0, 0, 0, 1, 1, 0, 0, 2])
matrix = confusion_matrix(predicted, target, 4)
print(matrix)
for average in ("micro", "macro"):
    print(average, {name: round(value, 3) for name, value in scores(matrix, average).items()})
lazy = confusion_matrix(torch.zeros(1000, dtype=torch.uint8), (torch.arange(1000) < 10).to(torch.uint8), 2)
print("always the majority class:", scores(lazy, "macro"))
print("empty:", scores(torch.zeros(3, 3, dtype=torch.int64), "macro"))
