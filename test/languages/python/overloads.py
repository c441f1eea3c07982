import typing as t


@t.overload
def find(key: int) -> int: ...


@t.overload
def find(key: str) -> str: ...


def find(key):
    return key
