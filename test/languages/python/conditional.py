from typing import TYPE_CHECKING

try:
    import json
except ImportError:
    json = None

try:
    from fast import loads

    FAST = True
except ImportError as error:
    FAST = False

    def loads(text): ...

else:
    CHECKED = 1
finally:
    DONE = 1

if TYPE_CHECKING:
    from .models import User

    Alias = User
elif FAST:
    Alias = 1
else:
    import late

    class Alias: ...


mode = None
if FAST:
    mode = "fast"


def twice(): ...


def twice(x): ...


while FAST:
    class InLoop: ...
    break

match mode:
    case "fast":
        matched = 1
