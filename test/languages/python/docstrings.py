"""The module.

    Indented by four.
  By two.
"""


def one():
    "One line."


def several():
    """   Starts late.

        Then indented.

        End.

    """


def raw():
    r"""A \d stays."""


def escaped():
    """Tab\tand \u00e9 and \
joined."""


def joined():
    "first " "second"


def formatted():
    f"""Not {one} docstring."""


def of_bytes():
    b"""Not one either."""


def tuple_first():
    "not", "one"


class Documented:
    # A comment may stand before.
    '''Of a class.'''

    attribute = 1
    """Not a docstring to Python."""
