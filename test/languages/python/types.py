from .db import Database, Cursor, connect


def run(db: Database, name: str = "x", cursor=Cursor(), *rest: int) -> Cursor:
    local = Database()
    plain = connect()
    parsed = int("1")
    declared: Cursor = plain
    waited = await Database()
    with Database(1) as opened, connect() as (a, b):
        pass
    try:
        pass
    except DatabaseError as failure:
        pass
    except (A, B) as several:
        pass
    if (walrus := Cursor()):
        pass
    return local


class Service:
    cache: "Cache"
    pool = Pool()

    def __init__(self, db: Database, other):
        self.db = db
        self.other = other
        self.cursor = Cursor(db)
        self.named: db.Named = None
        self.deep.cursor = Cursor()
        self.config = self.make_config()

    def make_config(self, factory, size=compute()):
        made = factory()
        local = self.pool.take()
        taken = local.take()
        with connect() as opened:
            return cls()

    @classmethod
    def make(cls):
        one = cls()
        local_class = lower_case()

        def nested(self):
            other = self.make_config()

        return one


class lower_case:
    pass


module_level = Service(None)
