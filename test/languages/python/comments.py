# TODO: write this
# not a todo
x = 1  # FIXME(ana): off by one


def f():
    # XXX
    pass  # HACK - works
    # TODO in the last lines, which belong to it too


"TODO: not a comment"
# TODOS is another word
