from . import sub

__all__ = ["run"] + sub.__all__


def run(): ...


def other(): ...


def _hidden(): ...
