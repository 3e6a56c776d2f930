from collections import namedtuple

device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
Pair = namedtuple("Pair", "inputs labels")


@dataclasses.dataclass
class Sample:
    image: torch.Tensor
    name: str


x = torch.arange(3.0)
batch = {"pair": Pair(x, torch.tensor([1, 0, 2])), "samples": [Sample(torch.ones(2), "a")], "step": 4}
print(device, move_to(batch, device))
print("same tensor:", move_to(x, "cpu") is x)
moved = move_to(batch, "meta")
print("on meta:", moved)
print("still here:", batch["pair"].inputs.device)
