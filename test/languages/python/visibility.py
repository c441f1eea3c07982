__version__ = "1"
_internal = 1
__mangled = 2


def __dunder__(): ...


class _Hidden:
    __slots__ = ()
    _guarded = 1

    def __init__(self):
        self.__private = 1
        self._protected = 2
