def plain():
    pass


async def fetch(url: str, *, timeout: float = 1.0) -> bytes:
    return await get(url, timeout)


def numbers(limit):
    yield from range(limit)


async def stream(source):
    async for item in source:
        yield item


def outer(
    first,
    /,
    second: "Other" = None,  # a comment in the head
    *rest: int,
    third: dict[str, int] = {},
    **options,
) -> "list[int]":
    def inner(value):
        def innermost():
            return value

        return innermost()

    class Local:
        def method(self):
            return inner(1)

    return inner(Local().method())


def one_line(x): return x; y = 2


def many_lines(
    separator=", )",
    pair=(
        1,
        2,
    ),
    one=(1,),
    *,
    key=call(
        separator,
    ),
):
    pass
