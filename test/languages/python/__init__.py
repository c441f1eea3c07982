"""A package passes on what it imports."""
import os
import json as json
from .core import App, _private
from .helpers import helper as help_me
from .wild import *

version = "1"


def lazy():
    from .later import Later
