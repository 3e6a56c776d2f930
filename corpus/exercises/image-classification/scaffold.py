import torch

CLASSES = 4
SIZE = 28


def draw(count, classes=CLASSES):
    """uint8 images of disks, squares, triangles and crosses anywhere on a noisy canvas; labels are sorted."""
    labels = torch.arange(count) * classes // count
    kind = labels.view(-1, 1, 1)
    radius = 5 + 2 * torch.rand(count, 1, 1)
    middle, reach = (SIZE - 1) / 2, 6
    spot = middle + reach * (2 * torch.rand(count, 1, 1) - 1)
    other = middle + reach * (2 * torch.rand(count, 1, 1) - 1)
    axis = torch.arange(SIZE)
    dy, dx = axis.view(1, -1, 1) - spot, axis.view(1, 1, -1) - other
    ay, ax = dy.abs(), dx.abs()
    disk = dy**2 + dx**2 <= radius**2
    square = torch.maximum(ay, ax) <= 0.85 * radius
    triangle = (ay <= radius) & (ax <= (dy + radius) / 2)
    cross = (torch.minimum(ay, ax) <= 0.25 * radius) & (torch.maximum(ay, ax) <= radius)
    shape = torch.where(kind == 0, cross, torch.where(kind == 1, square, torch.where(kind == 2, disk, triangle)))
    light = 100 + 100 * torch.rand(count, 1, 1)
    image = shape * light + 30 * torch.rand(count, SIZE, SIZE)
    return image.clamp(0, 255).to(torch.uint8), labels
