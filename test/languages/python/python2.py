import urllib2

class Old:
    def run(self, (a, b), c=0777L):
        print "hello", self.name
        print >>sys.stderr, urllib2.quote("x")
        exec "code" in {}
        try:
            pass
        except IOError, error:
            print error.message()
        raise ValueError, "text"

    def after(self):
        return `self`
