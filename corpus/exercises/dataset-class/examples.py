class Source:
    rows = ["0.5, 1.25, 2", "-1,,0", "3.5,4.0,1"]

    def __len__(self):
        return len(self.rows)

    def read(self, i):
        print("  reading row", i)
        return self.rows[i]


dataset = TableDataset(Source())
print("samples:", len(dataset))
print(dataset[0])
print(dataset[-2])
print(TableDataset(Source(), transform=lambda x: x * 10)[2])
print([y for _, y in dataset])
