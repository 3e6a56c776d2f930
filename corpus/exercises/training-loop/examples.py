from torch import nn

torch.manual_seed(0)
x = torch.randn(70, 3)
y = x @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.1 * torch.randn(70, 1)
train = [(x[i : i + 16], y[i : i + 16]) for i in range(0, 50, 16)]
val = [(x[50:], y[50:])]
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch, (train_loss, val_loss) in enumerate(fit(model, nn.MSELoss(), optimizer, train, val, 15)):
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1:2}: train {train_loss:.3f}, validation {val_loss:.3f}")
