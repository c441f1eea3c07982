import os.path
from .db import connect
from . import models as m


def run(callback, *args, **options):
    connect()
    connect("a", 1, key=callback)
    connect(*args)
    connect(1, **options)
    connect(x for x in args)
    callback()
    callback.run(1)
    m.User.find(connect)
    os.path.join("a", "b")
    unknown.thing()
    print(len(args))
    "".join(args)
    [1].append(2)
    {}.get(1)
    connect().cursor().execute("x")
    rows = connect()
    rows.first().name.upper()
    m.table["x"].drop()
    m.table["x"]()
    connect()()
    (m.User)()
    (lambda: callback)()
    await m.later().done()
    m . spaced . call(
        connect,
    )
    f"{connect(1)} {m.User.name!r:>{width()}}"
    return m.User(name=connect, other=m.Other)


run(connect)


class Service:
    def __init__(self):
        super().__init__()
        super(Service, self).attribute.start()
        self.run()
        self.db.query(1).all()
        self.items[0].go()
        self.__class__.make()
        type(self).kind = 1

    @classmethod
    def make(cls):
        cls()
        cls.make()

        def helper():
            cls.make()
            return helper()

    def self_is_only_here(other):
        other.make()
        self.make()
