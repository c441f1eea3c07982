class Base:
    pass


class Service:
    shared = None

    def __init__(this, db: Database, size=3):
        this.db = db
        this.client: Client = make()
        this.cache = Cache(size)
        this.a, (this.b, other) = 1, (2, 3)
        this.shared = 1
        this.name = "x"
        this.nested.value = 1
        if size:
            this.late = Late()

        def callback(event):
            this.from_closure = event

        class Inner:
            def method(self):
                self.own = 1

    @property
    def name(self):
        return self.db.name

    @classmethod
    def instance(cls):
        cls._instance = cls()
        return cls._instance

    @staticmethod
    def free(thing):
        thing.x = 1

    def again(self):
        self.db = None
        self.cache.clear()
        del self.late
        self.count += 1
        return self.cache
