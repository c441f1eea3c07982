from typing import overload
from .models import User as User, Other

name: str

@overload
def find(key: int) -> User: ...
@overload
def find(key: str) -> User: ...
def documented() -> None:
    """Text."""

class Repo:
    limit: int
    def get(self) -> Other: ...
