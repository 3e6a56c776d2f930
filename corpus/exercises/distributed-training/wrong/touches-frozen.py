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
    trainable = list(parameters)
    if not trainable:
        return
    grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in trainable]
    flat = torch.cat([samples * grad.reshape(-1) for grad in grads] + [grads[0].new_tensor([samples])])
    flat = ring_all_reduce(flat, comm)
    mean = flat[:-1] / flat[-1]
    for p, part in zip(trainable, mean.split([p.numel() for p in trainable])):
        p.grad = part.reshape(p.shape).clone()
