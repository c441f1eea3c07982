from __future__ import annotations

import os
import os.path
import a.b as c, d.e
import numpy as numpy
from . import sibling
from .. import (
    parent as up,
    other,  # why
)
from ..pkg.mod import name as alias
from .mod import same as same
from star import *
import importlib
import typing as t
from importlib import import_module

if t.TYPE_CHECKING:
    import only_types
else:
    import not_only_types


def lazy():
    import inside
    from .near import thing

    return inside.run(thing)


class Holder:
    from .holder import method


plugin = importlib.import_module("plugins.one")
other = import_module(".two", package=__name__)
third = __import__("three")
importlib.import_module(plugin)
use(importlib.import_module("four").run())
