torch.manual_seed(0)
target = torch.randint(3, (2, 5, 7))
logits = torch.randn(2, 3, 5, 7)
print("random logits: ", dice_loss(logits, target).item())
print("right logits:  ", dice_loss(20.0 * F.one_hot(target, 3).movedim(-1, 1), target).item())
target[0] = 255
print("ignoring:      ", dice_loss(logits, target, ignore_index=255).item())
net = UNet(3, 4).eval()
for size in ((8, 8), (5, 7), (2, 3)):
    print(size, "->", tuple(net(torch.randn(1, 3, *size)).shape))
print([name for name, _ in net.named_children()], sum(p.numel() for p in net.parameters()))
