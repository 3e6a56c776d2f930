class Counter:
    """Counts the calls of a module."""

    def __init__(self, module):
        self.calls = 0
        module.register_forward_pre_hook(self._count)

    def _count(self, module, args):
        self.calls += 1
