import torch


class Run:
    """Parameters and an optimizer of the given class, driven with gradients from outside.

    groups: a list of (values, options of the group); options: those of the whole optimizer.
    """

    def __init__(self, cls, groups, options):
        self.params = []
        self.optimizer = cls([self._group(*group) for group in groups], **options)

    def _group(self, values, options):
        params = [torch.nn.Parameter(value.clone()) for value in values]
        self.params += params
        return {"params": params, **options}

    def add(self, values, options):
        self.optimizer.add_param_group(self._group(values, options))

    def change(self, group, name, value):
        self.optimizer.param_groups[group][name] = value

    def step(self, grads):
        """One step with these gradients. Returns the parameters' values and their gradients afterwards."""
        for p, grad in zip(self.params, grads):
            p.grad = None if grad is None else grad.clone()
        self.optimizer.step()
        return self.values(), [None if p.grad is None else p.grad.clone() for p in self.params]

    def values(self):
        return [p.detach().clone() for p in self.params]

    def saved(self):
        return self.optimizer.state_dict()

    def resume(self, state, values):
        """The optimizer's state and the parameters' values from elsewhere."""
        self.optimizer.load_state_dict(state)
        with torch.no_grad():
            for p, value in zip(self.params, values):
                p.copy_(value)

    def step_with_closure(self, target):
        """One step on the squared distance from target. Returns the loss, the number of calls and the values."""
        calls = []

        def closure():
            calls.append(1)
            self.optimizer.zero_grad()
            loss = sum((p - target).square().sum() for p in self.params)
            loss.backward()
            return loss

        loss = self.optimizer.step(closure)
        loss = loss.detach() if isinstance(loss, torch.Tensor) else loss
        return loss, len(calls), self.values()


def step_without_closure(cls, value):
    p = torch.nn.Parameter(value.clone())
    p.grad = torch.ones_like(p)
    return cls([p]).step()
