import settings
from .registry import REGISTRY, handler

LIMIT = 3
start = LIMIT
total = start + settings.LIMIT * 2


def use(argument):
    LIMIT
    settings.debug = LIMIT
    settings.deep.value += 1
    REGISTRY["x"] = handler
    REGISTRY[LIMIT].append(handler)
    del REGISTRY["x"], settings.old
    register(handler, key=settings.KEY, *REGISTRY, **settings.options)
    argument.value = argument.other
    map(str, LIMIT)
    raise settings.Failure from handler


def compare(one, two=LIMIT):
    if handler is None or not REGISTRY and one in settings.names:
        return handler
    assert isinstance(one, settings.Type), handler
    return [handler, {LIMIT: settings.x.y}, (REGISTRY if one else two)]


class Reads:
    def method(self):
        self.value = self.other
        print(self.value, self.other.deep)
        return self.value
