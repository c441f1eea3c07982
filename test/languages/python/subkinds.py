import enum
import typing as t
from enum import Enum, IntEnum
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Color(Enum):
    RED = 1
    GREEN = enum.auto()


class Level(IntEnum):
    LOW = 1


class Mode(str, enum.Flag):
    pass


class Reader(Protocol[T]):
    def read(self) -> T: ...


class Writer(t.Protocol): ...


class Box(Generic[T], dict[str, "Item"]): ...


class Row(namedtuple("Row", "a b"), with_meta(Meta, Base)): ...


class Spread(*bases, **options): ...


import asyncio
from django.db import models
from sqlalchemy import Enum as SqlEnum
from .compat import StrEnum


class Echo(asyncio.Protocol): ...


class Status(models.TextChoices):
    OPEN = "open"


class Kind(StrEnum): ...


class Column(SqlEnum): ...


class Shade(Color): ...


class File(Reader): ...


class Point(t.NamedTuple): ...


class Movie(t.TypedDict): ...
