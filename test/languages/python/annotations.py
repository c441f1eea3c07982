from __future__ import annotations

import typing as t
from .models import User, Group, Meta

V = t.TypeVar("V", bound=User)


def find(
    user: User,
    group: "Group",
    dotted: "models.Group",
    many: list[User] | None = None,
    call: t.Callable[[User, int], t.Optional[Group]] = make,
    literal: t.Literal["User"] = "User",
    noted: t.Annotated[User, Meta(Group)] = None,
    text: "list[User]" = (),
    *args: Group,
) -> t.Iterator[User]:
    local: Group = make()
    untyped: int = 1


def generic[T: User, *Ts](value: T) -> Group[T]: ...


class Repo[K](Base[User, K]):
    key: K
    item: User = None

    def get(self, key: K) -> Repo[K]: ...
