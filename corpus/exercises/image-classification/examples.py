import time

from scaffold import draw

torch.manual_seed(0)
images, labels = draw(400)
print(images.shape, images.dtype, "labels", labels.tolist()[::100])
print("parameters:", sum(p.numel() for p in ShapeNet(4).parameters()))
start = time.perf_counter()
model = fit(images, labels, 4)
print("seconds:", round(time.perf_counter() - start, 1))
new, truth = draw(400)
print("accuracy on new images:", round((predict(model, new) == truth).float().mean().item(), 3))
print(predict(model, new[:5]), predict(model, new[:0]))
