from .lib import compute, key

double = lambda x, *rest, scale=compute(): compute(x) * scale
typed: Callable = (lambda: key)
first = second = lambda: compute()
made = compute(lambda row: key(row))


def outer():
    inner = lambda value: compute(value)
    return inner(key)


class Sorted:
    by = lambda self: self.name
