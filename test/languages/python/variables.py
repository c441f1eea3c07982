import typing as t
from typing import Final, TypeAlias

LIMIT = 10
name: str = "x"
declared: int
first, (second, *others) = 1, (2, 3)
left = right = []
app = Flask(__name__)
FINAL: Final[int] = 3
fixed: Final = 4
_private = make()
text = str(3)
Pair: TypeAlias = tuple[LIMIT, "Other"]
Old: t.TypeAlias = "Other"
type Name = str
type Rows[T] = list[T]
counts[name] = 1
app.config = {}
LIMIT += 1
if (walrus := LIMIT) > 3:
    pass
for each in left:
    pass
with open(name) as handle:
    inside_with = handle.read()
LIMIT = 20


def function():
    local = 1
    annotated: int = 2
    return local + annotated


class Model:
    id: int
    kind = "model"
    width, height = 1, 2
    handler = lambda self: None
    owner: "User" = User()
