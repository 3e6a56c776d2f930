import queue
import threading

import torch


class Comm:
    """One rank's end of a ring. Counts what it sends."""

    def __init__(self, rank, boxes):
        self.rank, self.world_size = rank, len(boxes)
        self.sent = []
        self._boxes = boxes

    def exchange(self, tensor):
        self.sent.append(tensor.numel())
        self._boxes[(self.rank + 1) % self.world_size].put(tensor.detach().clone())
        try:
            return self._boxes[self.rank].get(timeout=1.0)
        except queue.Empty:
            raise TimeoutError(f"rank {self.rank} waited in vain for a message") from None


def on_ranks(work, world):
    """work(rank, comm) in a thread per rank. Returns the results, and for each rank the sizes of its messages."""
    boxes = [queue.Queue() for _ in range(world)]
    comms = [Comm(rank, boxes) for rank in range(world)]
    results, errors = [None] * world, []

    def run(rank):
        try:
            results[rank] = work(rank, comms[rank])
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(world)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in sorted(errors, key=lambda error: isinstance(error, TimeoutError)):
        raise error
    unread = sum(box.qsize() for box in boxes)
    if unread:
        raise RuntimeError(f"{unread} messages were sent and never read")
    return results, [comm.sent for comm in comms]


def reduce(ring_all_reduce, tensors):
    """ring_all_reduce with tensors[r] on rank r. Returns the results, the inputs afterwards and the message sizes."""
    inputs = [tensor.clone() for tensor in tensors]
    results, sent = on_ranks(lambda rank, comm: ring_all_reduce(inputs[rank], comm), len(tensors))
    return results, inputs, sent


def average(average_gradients, values, frozen, grads, samples):
    """average_gradients on replicas of `values`. grads[r]: rank r's gradients. Returns those afterwards, and sizes."""
    replicas = []
    for row in grads:
        params = [torch.nn.Parameter(value.clone(), requires_grad=not still) for value, still in zip(values, frozen)]
        for p, grad in zip(params, row):
            p.grad = None if grad is None else grad.clone()
        replicas.append(params)
    _, sent = on_ranks(lambda rank, comm: average_gradients(replicas[rank], samples[rank], comm), len(grads))
    return [[None if p.grad is None else p.grad.clone() for p in params] for params in replicas], sent
