# Byte-order mark, é€😀 before columns
def naïve(x):
    """Doc.

    More.
    """
    s = "😀"; güß(s, x)
