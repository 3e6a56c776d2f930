import torch

LOW, HIGH = -128, 127


def choose_params(x: torch.Tensor, axis: int | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """Scale and zero point that map the range of x, zero included, to the 256 values of int8."""
    x = x.float()
    if axis is None:
        low, high = x.min(), x.max()
    else:
        rows = x.movedim(axis, 0).flatten(1)
        low, high = rows.amin(1), rows.amax(1)
    low, high = low.clamp(max=0.0), high.clamp(min=0.0)
    scale = (high - low) / (HIGH - LOW)
    zero_point = (LOW - low / scale).round().clamp(LOW, HIGH).to(torch.int32)
    return scale, zero_point


def quantize(x: torch.Tensor, scale: torch.Tensor, zero_point: torch.Tensor, axis: int | None = None) -> torch.Tensor:
    scale, zero_point = _aligned(scale, x, axis), _aligned(zero_point, x, axis)
    return ((x.float() / scale).round() + zero_point).clamp(LOW, HIGH).to(torch.int8)


def dequantize(q: torch.Tensor, scale: torch.Tensor, zero_point: torch.Tensor, axis: int | None = None) -> torch.Tensor:
    scale, zero_point = _aligned(scale, q, axis), _aligned(zero_point, q, axis)
    return (q.float() - zero_point) * scale


def _aligned(values: torch.Tensor, x: torch.Tensor, axis: int | None) -> torch.Tensor:
    if axis is None:
        return values
    shape = [1] * x.dim()
    shape[axis] = -1
    return values.reshape(shape)
