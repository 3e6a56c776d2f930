import torch


def ring_all_reduce(tensor, comm):
    rank, world = comm.rank, comm.world_size
    count = tensor.numel()
    size = -(-count // world)
    padded = tensor.new_zeros(world * size)
    padded[:count] = tensor.reshape(-1)
    parts = list(padded.split(size)) if size else [padded] * world
    for step in range(world - 1):
        arrived = comm.exchange(parts[(rank - step) % world])
        mine = (rank - step - 1) % world
        parts[mine] = parts[mine] + arrived
    for step in range(world - 1):
        parts[(rank - step) % world] = comm.exchange(parts[(rank + 1 - step) % world])
    return torch.cat(parts)[:count].reshape(tensor.shape)


@torch.no_grad()
def average_gradients(parameters, samples, comm):
    trainable = [p for p in parameters if p.requires_grad]
    if not trainable:
        return
    total = ring_all_reduce(trainable[0].new_tensor(samples), comm)
    for p in trainable:
        grad = torch.zeros_like(p) if p.grad is None else p.grad
        p.grad = ring_all_reduce(samples * grad, comm) / total
