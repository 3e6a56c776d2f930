import torch


def ring_all_reduce(tensor, comm):
    n, r = comm.world_size, comm.rank
    parts = [p.clone() for p in torch.tensor_split(tensor.detach().reshape(-1), n)]
    if tensor.numel() < n:
        every = [tensor.detach().clone()]
        for _ in range(n - 1):
            every.append(comm.exchange(every[-1]))
        return sum(every[1:], every[0])
    for step in range(n - 1):
        got = comm.exchange(parts[(r - step) % n])
        parts[(r - step - 1) % n] = parts[(r - step - 1) % n] + got
    for step in range(n - 1):
        parts[(r - step) % n] = comm.exchange(parts[(r + 1 - step) % n])
    return torch.cat(parts).reshape(tensor.shape)


def average_gradients(parameters, samples, comm):
    live = [p for p in parameters if p.requires_grad]
    flat = [torch.zeros(p.numel(), dtype=torch.float64) if p.grad is None or not samples else p.grad.double().flatten() * samples for p in live]
    out = ring_all_reduce(torch.cat(flat + [torch.tensor([samples], dtype=torch.float64)]), comm)
    mean = out[:-1] / out[-1]
    for p, part in zip(live, mean.split([p.numel() for p in live])):
        p.grad = part.view(p.shape).to(p.dtype)
