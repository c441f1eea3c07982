import functools
from .app import app, cached


@app.route(
    "/x",
    methods=METHODS,
)
@functools.wraps(view)
@cached
async def view(): ...


@app.errors[404].register
def missing(): ...


@functools.total_ordering
class Version:
    @cached(key=lambda self: self.text)
    def parts(self): ...

    @(lambda f: f)
    def odd(self): ...


@app.before
def nested():
    @app.after
    def inside(): ...
