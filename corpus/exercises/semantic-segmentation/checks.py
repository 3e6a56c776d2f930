import random

import torch
import torch.nn.functional as F
from torch import nn
from viva_check import assert_close


def double_conv(before, after):
    layers = []
    for width in (before, after):
        layers += [nn.Conv2d(width, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    return nn.Sequential(*layers)


class Plain(nn.Module):
    def __init__(self, channels, classes, width):
        super().__init__()
        self.enc, self.mid = double_conv(channels, width), double_conv(width, 2 * width)
        self.dec, self.head = double_conv(3 * width, width), nn.Conv2d(width, classes, 1)

    def forward(self, x):
        skip = self.enc(x)
        deep = self.mid(F.max_pool2d(skip, 2))
        up = F.interpolate(deep, size=skip.shape[-2:], mode="bilinear", align_corners=False)
        return self.head(self.dec(torch.cat([skip, up], 1)))


def plain_dice(logits, target, smooth=1.0, ignore_index=None):
    probs = logits.double().softmax(1)
    valid = target == target if ignore_index is None else target != ignore_index
    scores = []
    for c in range(logits.size(1)):
        p, t = probs[:, c][valid], (target[valid] == c).double()
        scores.append((2 * (p * t).sum() + smooth) / (p.sum() + t.sum() + smooth))
    return 1 - torch.stack(scores).mean()


def case(count, classes, height, width, dtype=torch.float64):
    logits = (2 * torch.randn(count, classes, height, width, dtype=torch.float64)).to(dtype)
    return logits, torch.randint(classes, (count, height, width))


def check_dice(sut):
    for count, classes, height, width in ((2, 3, 5, 7), (1, 2, 1, 1), (3, 5, 4, 4), (4, 4, 4, 4), (0, 3, 4, 4)):
        for dtype, near in ((torch.float64, 1e-9), (torch.float32, 1e-5)):
            logits, target = case(count, classes, height, width, dtype)
            found, after = sut.watch("dice_loss", logits, target)
            assert_close(found, plain_dice(logits, target).to(dtype), rtol=near, atol=near)
            assert torch.equal(after[0], logits) and torch.equal(after[1], target), "dice_loss changed its inputs"
            smooth = random.uniform(0.01, 3.0)
            found = sut.dice_loss(logits, target, smooth)
            assert_close(found, plain_dice(logits, target, smooth).to(dtype), rtol=near, atol=near)
    logits, _ = case(2, 4, 5, 5)
    target = torch.full((2, 5, 5), 1)
    assert_close(sut.dice_loss(logits, target), plain_dice(logits, target))
    target = torch.randint(3, (2, 9, 6))
    sure = 60 * F.one_hot(target, 3).movedim(-1, 1).double()
    assert_close(sut.dice_loss(sure, target), torch.zeros((), dtype=torch.float64), rtol=0, atol=1e-6)


def check_dice_ignore(sut):
    for index in (255, -100, 0):
        logits, target = case(2, 4, 6, 5)
        mask = torch.rand(target.shape) < 0.4
        mask[0, 0, 0] = True
        target[target == index] = 1
        target[mask] = index
        found = sut.dice_loss(logits, target, 1.0, index)
        assert_close(found, plain_dice(logits, target, 1.0, index), msg=lambda m: f"ignore_index={index}: {m}")
        again = sut.dice_loss(torch.where(mask.unsqueeze(1), torch.randn_like(logits), logits), target, 1.0, index)
        assert_close(again, found, msg=lambda m: f"other logits at ignored pixels change the loss: {m}")
    logits, _ = case(2, 3, 4, 4)
    target = torch.full((2, 4, 4), 255)
    found, (grad, *_) = sut.vjp("dice_loss", logits, target, cotangent=torch.tensor(1.0, dtype=torch.float64), ignore_index=255)
    assert_close(found, torch.zeros((), dtype=torch.float64), msg=lambda m: f"every pixel ignored: {m}")
    assert_close(torch.zeros_like(logits) if grad is None else grad, torch.zeros_like(logits))


def check_dice_precision(sut):
    for dtype in (torch.float16, torch.bfloat16):
        logits, target = case(1, 2, 300, 300, dtype)
        found = sut.dice_loss(logits, target)
        assert found.dtype == torch.float32, f"{dtype} logits: expected a float32 loss, got {found.dtype}"
        assert_close(found, plain_dice(logits, target).float(), rtol=1e-3, atol=1e-4)
    logits, target = case(2, 3, 6, 6, torch.float32)
    assert_close(sut.dice_loss(logits * 3000, target), plain_dice(logits * 3000, target).float(), rtol=1e-4, atol=1e-5)


def check_dice_gradient(sut):
    for index in (None, 255):
        logits, target = case(2, 3, 5, 4)
        if index is not None:
            target[torch.rand(target.shape) < 0.3] = index
        leaf = logits.clone().requires_grad_()
        plain_dice(leaf, target, 1.0, index).backward()
        _, (grad, *_) = sut.vjp("dice_loss", logits, target, cotangent=torch.tensor(1.0, dtype=torch.float64), ignore_index=index)
        assert grad is not None, "no gradient reaches the logits"
        assert_close(grad, leaf.grad)


def check_unet_sizes(sut):
    for channels, classes, width in ((3, 4, 4), (1, 2, 3)):
        net = sut.UNet(channels, classes, width)
        net.eval()
        for count, size in ((2, (8, 8)), (1, (5, 7)), (2, (2, 3)), (1, (3, 2)), (3, (9, 16)), (1, (17, 31))):
            out = net(torch.randn(count, channels, *size))
            assert tuple(out.shape) == (count, classes, *size), (
                f"input {(count, channels, *size)}: expected {(count, classes, *size)}, got {tuple(out.shape)}"
            )


def check_unet_values(sut):
    for channels, classes, width in ((3, 4, 4), (2, 3, 6)):
        plain = Plain(channels, classes, width).double().eval()
        for name, value in plain.state_dict().items():
            if value.is_floating_point():
                value.copy_(torch.rand_like(value) + 0.5 if "running_var" in name else 0.4 * torch.randn_like(value))
        net = sut.UNet(channels, classes, width)
        net.double()
        net.eval()
        net.load(plain.state_dict())
        for size in ((8, 6), (7, 5), (4, 9)):
            x = torch.randn(2, channels, *size, dtype=torch.float64)
            with torch.no_grad():
                assert_close(net(x), plain(x), rtol=1e-6, atol=1e-8)
