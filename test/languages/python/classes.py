from abc import ABC, ABCMeta, abstractmethod
import flask.views


class Empty: ...


class View(flask.views.View, metaclass=ABCMeta):
    """Shows things."""

    methods = ["GET"]

    def __init__(self, name):
        self._name = name

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, value):
        self._name = value

    @staticmethod
    def make():
        return View("made")

    @classmethod
    def create(cls, name) -> "View":
        return cls(name)

    @abstractmethod
    def show(self): ...

    def _hidden(self): ...

    def __secret(self): ...

    class Meta:
        class Inner:
            def deep(self):
                return super().deep()


class Base(ABC):
    pass


def factory():
    class Made(Base, View):
        pass

    return Made
