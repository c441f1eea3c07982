from .core import App, Other
import os

__all__ = ["App", "run", "missing"]
__all__ += ("extra",)
__all__.extend(["_shown"])
__all__.append("os")
__all__ += App.__all__


def run(): ...


def extra(): ...


def not_listed(): ...


def _shown(): ...
