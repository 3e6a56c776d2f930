torch.manual_seed(0)
x, y = torch.randn(10, 3), torch.randn(10, 1)
for micro_batch in (10, 5, 4):
    torch.manual_seed(1)
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = accumulated_step(model, optimizer, torch.nn.MSELoss(), x, y, micro_batch)
    print(micro_batch, "loss", round(loss, 4), "weight", [round(w, 4) for w in model.weight.flatten().tolist()])
