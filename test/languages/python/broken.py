def before(): ...


class Broken(
    def inside(self:
        return call(

def after():
    return before()


x = = 3
class Last:
    def method(self):
        return after()
