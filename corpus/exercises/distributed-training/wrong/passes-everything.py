import torch


def ring_all_reduce(tensor, comm):
    total = passing = tensor.clone()
    for _ in range(comm.world_size - 1):
        passing = comm.exchange(passing)
        total = total + passing
    return total


@torch.no_grad()
def average_gradients(parameters, samples, comm):
    trainable = [p for p in parameters if p.requires_grad]
    if not trainable:
        return
    grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in trainable]
    flat = torch.cat([samples * grad.reshape(-1) for grad in grads] + [grads[0].new_tensor([samples])])
    flat = ring_all_reduce(flat, comm)
    mean = flat[:-1] / flat[-1]
    for p, part in zip(trainable, mean.split([p.numel() for p in trainable])):
        p.grad = part.reshape(p.shape).clone()
