"""Where values go."""
import functools
from handlers import fallback, first, second

table = {'first': first, 2: second, fallback: None}
table['third'] = fallback
chained = again = first
one, (two, *rest) = first, (second, fallback, first)
total = 1 + 2


def choose(flag, handler=first, *, key='first'):
    picked = handler if flag else None
    for each in (first, second):
        picked = each
        each(flag)
    if flag:
        picked = table[key]
    else:
        picked = lambda: None
    picked(flag, later=handler)
    return picked or fallback


def narrowed(value, other):
    if isinstance(value, Holder) and other:
        value.run()
    if not isinstance(other, (Holder, Registry)):
        return None
    other.run()
    assert isinstance(value, Registry)
    return value


class Holder:
    default = first

    def __init__(self, handler):
        self.handler = handler
        self.handlers = []
        self.handlers.append(handler)
        self.handlers += [first, second]
        self.by_name = dict(a=1)
        self.by_name.update({'b': handler})

    def run(self):
        global table
        table = self.by_name
        with self.handler() as opened, open('x') as ignored:
            opened.go()
        self.handlers[0](self)
        self.by_name['b'](self)(1)
        yield functools.partial(self.handler, 1)
        return [each() for each in self.handlers if (found := each)]


class Registry:
    pass


async def waited():
    result = await choose(True)
    result.go()
    (lambda row: row.go())(result)
