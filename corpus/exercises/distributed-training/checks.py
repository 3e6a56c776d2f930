import random

import torch
from torch import nn
from viva_check import assert_close

DOUBLE = torch.float64


def ring(sut, tensors):
    return sut.scaffold.reduce(sut.get("ring_all_reduce"), tensors)


def check_sum(sut):
    for world in (1, 2, 3, 4, 6):
        tensors = [torch.randn(world * 5) for _ in range(world)]
        wanted = torch.stack(tensors).sum(0)
        results, _, _ = ring(sut, tensors)
        for rank, got in enumerate(results):
            assert_close(got, wanted, rtol=1e-4, atol=1e-4, msg=lambda text: f"rank {rank} of {world}: {text}")


def check_odd_sizes(sut):
    for world, shape in ((3, (7,)), (4, (3,)), (5, (1,)), (3, ()), (3, (0,)), (2, (4, 0)), (4, (3, 5, 2)), (1, (3,))):
        tensors = [torch.randn(shape, dtype=DOUBLE) for _ in range(world)]
        results, _, _ = ring(sut, tensors)
        for rank, got in enumerate(results):
            assert_close(
                got, torch.stack(tensors).sum(0), msg=lambda text: f"shape {shape}, rank {rank} of {world}: {text}"
            )
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        tensors = [torch.randint(-8, 9, (11,)).to(dtype) for _ in range(3)]
        results, _, _ = ring(sut, tensors)
        for got in results:
            assert_close(got, torch.stack(tensors).sum(0), msg=lambda text: f"{dtype}: {text}")


def check_traffic(sut):
    for world, count in ((2, 100), (4, 1000), (5, 333), (4, 3)):
        tensors = [torch.randn(count, dtype=DOUBLE) for _ in range(world)]
        results, _, sent = ring(sut, tensors)
        assert_close(results[0], torch.stack(tensors).sum(0))
        share = -(-count // world)
        for rank, sizes in enumerate(sent):
            assert len(sizes) <= 2 * (world - 1), f"rank {rank} of {world} sent {len(sizes)} messages"
            assert max(sizes) <= share, f"rank {rank} of {world} sent {max(sizes)} of {count} elements in one message"


def check_identical(sut):
    for world in (3, 4, 5):
        tensors = [torch.randn(257) * 10 ** torch.randint(-3, 4, (257,)).float() for _ in range(world)]
        results, after, _ = ring(sut, tensors)
        wanted = torch.stack(tensors).double().sum(0).float()
        for rank, (got, left) in enumerate(zip(results, after)):
            assert_close(got, wanted, rtol=1e-4, atol=1e-2)
            assert torch.equal(got, results[0]), f"ranks 0 and {rank} of {world} differ in the last bits"
            assert torch.equal(left, tensors[rank]), f"the input of rank {rank} was changed"
    for _ in range(20):
        tensors = [torch.randn(()) for _ in range(5)]
        results, _, _ = ring(sut, tensors)
        assert_close(results[0], torch.stack(tensors).sum(0), rtol=1e-4, atol=1e-4)
        assert all(torch.equal(got, results[0]) for got in results), (
            "a single number: the ranks differ in the last bits"
        )


class Task:
    """A small regression and its gradients on parts of the data."""

    def __init__(self, shares):
        self.shares = shares
        self.model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).to(DOUBLE)
        self.x, self.y = torch.randn(sum(shares), 3, dtype=DOUBLE), torch.randn(sum(shares), 2, dtype=DOUBLE)
        self.values = [p.detach().clone() for p in self.model.parameters()]

    def gradient(self, x, y):
        if len(x) == 0:
            return [None] * len(self.values)
        loss = (self.model(x) - y).square().mean()
        return list(torch.autograd.grad(loss, list(self.model.parameters())))

    def check(self, sut):
        local = [self.gradient(x, y) for x, y in zip(self.x.split(self.shares), self.y.split(self.shares))]
        wanted = self.gradient(self.x, self.y)
        frozen = [False] * len(wanted)
        got, sent = sut.scaffold.average(sut.get("average_gradients"), self.values, frozen, local, self.shares)
        for rank, row in enumerate(got):
            for number, (grad, want) in enumerate(zip(row, wanted)):
                where = f"shares {self.shares}, rank {rank}, parameter {number}"
                assert grad is not None, f"{where}: grad is None"
                assert_close(grad, want, msg=lambda text: f"{where}: {text}")
        most = max(len(sizes) for sizes in sent)
        assert most <= 2 * (len(self.shares) - 1), f"{most} messages from a rank for {len(self.shares)} ranks"


def check_average(sut):
    for world in (1, 2, 3, 4):
        Task([random.randrange(2, 6)] * world).check(sut)


def check_missing_gradients(sut):
    values = [torch.randn(shape, dtype=DOUBLE) for shape in ((2, 3), (4,), (), (2,), (3, 1))]
    frozen = [False, True, False, False, True]
    for world in (2, 3):
        samples = [random.randrange(1, 6)] * world
        grads = [[torch.randn_like(value) for value in values] for _ in range(world)]
        for rank, row in enumerate(grads):
            row[1] = row[4] = None
            if rank != world - 1:
                row[0] = None
            if rank == 0:
                row[2] = None
            row[3] = None
        got, sent = sut.scaffold.average(sut.get("average_gradients"), values, frozen, grads, samples)
        for number, value in enumerate(values):
            parts = [n * row[number] for n, row in zip(samples, grads) if row[number] is not None]
            wanted = sum(parts, torch.zeros_like(value)) / sum(samples)
            for rank, row in enumerate(got):
                where = f"rank {rank}, parameter {number}"
                if frozen[number]:
                    assert row[number] is None, f"{where} is frozen and got a gradient"
                else:
                    assert row[number] is not None, f"{where}: grad is None"
                    assert_close(row[number], wanted, msg=lambda text: f"{where}: {text}")


def check_uneven_shares(sut):
    Task([1, 9]).check(sut)
    Task(random.sample(range(1, 8), 3)).check(sut)
    Task([4, 0, 2]).check(sut)
    Task([0, 0, 5, 1]).check(sut)
