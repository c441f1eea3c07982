from .lib import thing, shadowed

config = thing()
counter = 0


def parameters(thing, default=thing()):
    thing()
    return thing


def assigned_later():
    shadowed()
    shadowed = 1


def declares_global():
    global counter, made_here
    counter = counter + 1
    made_here = config
    return made_here


def enclosing():
    state = thing

    def inner():
        nonlocal state
        state = config
        state()
        return thing()

    def thing():
        return config

    import config as config
    return inner, config()


class Body:
    field = config
    copy = field

    def method(self, config=field):
        field()
        return config.get(copy)

    listed = [field for _ in field]


def targets(source):
    for thing in source:
        thing()
    with source as (config, other):
        config()
    try:
        pass
    except ValueError as shadowed:
        shadowed.args()
    if (counter := source()):
        counter()
    print(counter, source, thing)


def comprehensions(rows):
    [thing for thing in thing.rows]
    {config(k): v for k, v in rows if (last := v)}
    last()
    sum(config for row in rows for config in row())
    return lambda thing, extra=config: thing(extra, shadowed)


def patterns(value):
    match value:
        case config.LIMIT:
            pass
        case thing(x=shadowed, y=1):
            shadowed()
        case [counter, *rest] | {"k": counter, **rest}:
            counter(rest)
        case str() as text if text.strip():
            text()
        case config:
            config()
