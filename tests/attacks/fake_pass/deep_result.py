"""A list nested a hundred thousand deep."""


def softmax(x, dim):
    result = []
    for _ in range(100_000):
        result = [result]
    return result
