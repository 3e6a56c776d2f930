torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for dtype, scaled in ((torch.bfloat16, False), (torch.float16, True)):
    torch.manual_seed(1)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**18) if scaled else None
    for _ in range(4):
        loss, norm = amp_step(model, optimizer, scaler, torch.nn.functional.mse_loss, x, y, dtype, 1.0)
        print(dtype, round(loss, 3), round(norm, 3), scaler.get_scale() if scaler else "", model.weight.dtype)
