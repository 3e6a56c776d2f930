import torch


class Step:
    """A training step that runs given numbers of operators and counts its calls."""

    def __init__(self, matmuls, cumsums, first_extra=0):
        self.matmuls, self.cumsums, self.first_extra = matmuls, cumsums, first_extra
        self.calls = 0
        self.x = torch.ones(4, 4)

    def __call__(self):
        self.calls += 1
        for _ in range(self.matmuls):
            torch.mm(self.x, self.x)
        for _ in range(self.cumsums):
            torch.cumsum(self.x, 0)
        if self.calls == 1:
            for _ in range(self.first_extra):
                torch.mm(self.x, self.x)
