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


module_level = Service(None)
