import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx


def operator(name):
    """The registered operator viva::<name>, or an error that says it is missing."""
    try:
        return getattr(torch.ops.viva, name).default
    except AttributeError:
        raise RuntimeError(f"there is no operator viva::{name}") from None


def call(name, *args):
    return operator(name)(*args)


def on_transposed(name, x, *args):
    """The operator applied to x with its last two dimensions swapped in a view: its result, and x afterwards."""
    out = operator(name)(x.transpose(-1, -2), *args)
    return out, x


def fake(name, *tensors):
    """Shape and dtype name of the result that the operator announces for tensors without data."""
    with FakeTensorMode() as mode:
        out = operator(name)(*(mode.from_tensor(t) for t in tensors))
    return tuple(out.shape), out.dtype


def traced_lse(sample, x):
    """Trace 3 * row_lse(a) + 1 on sample with symbolic sizes, then run the graph on x: value, nodes of the operator."""
    op = operator("row_lse")
    graph = make_fx(lambda a: 3 * op(a) + 1, tracing_mode="symbolic")(sample)
    return graph(x), sum(node.target is op for node in graph.graph.nodes)


def traced_scale(sample, factor, x):
    """Trace "copy, scale the copy, add one" on sample, remove dead code, run on x."""
    op = operator("scale_rows_")

    def program(a, b):
        copy = a.clone()
        op(copy, b)
        return copy + 1

    graph = make_fx(program, tracing_mode="fake")(sample, factor)
    graph.graph.eliminate_dead_code()
    graph.recompile()
    return graph(x, factor)


def opcheck(name, x, *args, grad=False):
    """What torch.library.opcheck finds, as {test: "SUCCESS" or the error's text}."""
    x = x.clone().requires_grad_(grad)
    found = torch.library.opcheck(
        operator(name), (x, *args), test_utils=("test_schema", "test_autograd_registration", "test_faketensor"), raise_exception=False
    )
    return {test: str(result) for test, result in found.items()}
