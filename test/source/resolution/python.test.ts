import { describe, expect, it } from 'vitest';
import { resolved } from './resolved.js';

const uses = (sources: Record<string, string> | string, expression: string) =>
  resolved(typeof sources === 'string' ? { 'a.py': sources } : sources).uses('a.py', expression);

describe('a bare name in Python', () => {
  it('that a parameter or local shadows is not the function of the module', () => {
    expect(uses('def f(): pass\ndef g(f):\n    f(1)\n', 'f(1)')).toEqual(['?f']);
    expect(uses('def f(): pass\ndef g():\n    f = pick()\n    f(1)\n', 'f(1)')).toEqual(['?f']);
  });

  it('that a parameter of a lambda or a comprehension shadows is not the helper around it', () => {
    const source = `def outer(rows):
    def helper(x): pass
    each(lambda helper: helper(1))
    each(lambda: helper(2))
    [helper(3) for helper in rows]
    helper(4)
`;
    expect(uses(source, 'helper(1)')).toEqual(['?helper']);
    expect(uses(source, 'helper(2)')).toEqual(['a.py outer.helper (exact)']);
    expect(uses(source, 'helper(3)')).toEqual(['?helper']);
    expect(uses(source, 'helper(4)')).toEqual(['a.py outer.helper (exact)']);
  });

  it('in a class body never means an attribute that a method sets', () => {
    const source = 'def f(): pass\nclass A:\n    def m(self):\n        self.f = 1\n    made = f()\n';
    expect(uses(source, 'f()')).toEqual(['a.py f (exact)']);
  });

  it('in a method never means another method of the class', () => {
    expect(uses('class A:\n    def m(self):\n        n()\n    def n(self): pass\n', 'n()')).toEqual(['?n']);
  });

  it('that is a builtin stays unresolved', () => {
    expect(uses('print(1)\n', 'print(1)')).toEqual(['?print']);
  });
});

describe('a member in Python', () => {
  it('of a local that is made in two ways stays open', () => {
    const source =
      'class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\ndef f(x):\n    o = A()\n    if x:\n        o = B()\n    o.m()\n';
    expect(uses(source, 'o.m()')).toEqual(['?m maybe a.py A.m, a.py B.m']);
  });

  it('of a list or dict is not the function or method of the project that has its name', () => {
    const source =
      'def append(x): pass\nclass C:\n    def get(self): pass\nitems = []\nitems.append(1)\n{}.get(1)\n';
    expect(uses(source, 'items.append(1)')).toEqual(['?append']);
    expect(uses(source, '{}.get(1)')).toEqual(['?get']);
  });

  it('of self is the class own one, then an inherited one, in method resolution order', () => {
    const sources = {
      'a.py': `from b import Left, Right
class A(Left, Right):
    def run(self):
        self.own(); self.both(); self.root()
    def own(self): pass
`,
      'b.py': `class Root:
    def root(self): pass
    def both(self): pass
class Left(Root):
    pass
class Right(Root):
    def both(self): pass
`,
    };
    expect(uses(sources, 'self.own()')).toEqual(['a.py A.own (exact)']);
    expect(uses(sources, 'self.both()')).toEqual(['b.py Right.both (type)']);
    expect(uses(sources, 'self.root()')).toEqual(['b.py Root.root (type)']);
  });

  it('of self behind a base that is not of the program stays open', () => {
    const source =
      'from lib import Base\nclass M:\n    def get(self): pass\nclass A(Base, M):\n    def f(self):\n        self.get()\n';
    expect(uses(source, 'self.get()')).toEqual(['?get']);
  });

  it('of super() is a base class one', () => {
    const source = 'class B:\n    def m(self): pass\nclass A(B):\n    def m(self):\n        super().m()\n';
    expect(uses(source, 'super().m()')).toEqual(['a.py B.m (type)']);
  });

  it('of a class is a static or class method', () => {
    const source = 'class A:\n    @classmethod\n    def make(cls): pass\nA.make()\n';
    expect(uses(source, 'A.make()')).toEqual(['a.py A.make (exact)']);
  });

  it('of an attribute with an unknown type is not the method around it', () => {
    const source =
      'class A:\n    def __init__(self, mailer):\n        self.mailer = mailer\n    def send(self):\n        self.mailer.send()\n';
    expect(uses(source, 'self.mailer.send()')).toEqual(['?send']);
  });

  it('of an attribute, parameter or local is found by its constructor or annotation', () => {
    const source = `class Db:
    def run(self): pass
class A:
    def __init__(self):
        self.db = Db()
    def f(self):
        self.db.run()
def g(d: "Db | None"):
    d.run(1)
def h():
    d = Db()
    d.run(2)
`;
    expect(uses(source, 'self.db.run()')).toEqual(['a.py Db.run (type)']);
    expect(uses(source, 'd.run(1)')).toEqual(['a.py Db.run (type)']);
    expect(uses(source, 'd.run(2)')).toEqual(['a.py Db.run (type)']);
  });
});

describe('what a value gives in Python', () => {
  it('is followed through properties, results and nested classes', () => {
    const source = `class Db:
    def run(self): pass
class A:
    class Inner:
        def go(self): pass
    @property
    def db(self) -> Db: ...
    def make(self) -> Db: ...
def f(a: A):
    a.db.run(1)
    a.make().run(2)
    A.Inner().go()
`;
    expect(uses(source, 'a.db.run(1)')).toEqual(['a.py Db.run (type)']);
    expect(uses(source, 'a.make().run(2)')).toEqual(['a.py Db.run (type)']);
    expect(uses(source, 'A.Inner().go()')).toEqual(['a.py A.Inner.go (exact)']);
  });

  it('is followed through what a method of self, a parameter or a local gives', () => {
    const source = `class Config:
    def get(self): pass
class Context:
    def push(self): pass
class App:
    def __init__(self):
        self.config = self.make_config()
    def make_config(self) -> Config: ...
    def context(self) -> Context: ...
    def read(self):
        self.config.get(1)
def of_parameter(app: App):
    ctx = app.context()
    ctx.push(2)
def of_local():
    app = App()
    ctx = app.context()
    ctx.push(3)
def of_nobody(app):
    ctx = app.context()
    ctx.push(4)
`;
    expect(uses(source, 'self.config.get(1)')).toEqual(['a.py Config.get (type)']);
    expect(uses(source, 'ctx.push(2)')).toEqual(['a.py Context.push (type)']);
    expect(uses(source, 'ctx.push(3)')).toEqual(['a.py Context.push (type)']);
    expect(uses(source, 'ctx.push(4)')).toEqual(['?push']);
  });

  it('is not what a function gives whose name is a local there, and is it where it is one elsewhere', () => {
    const source = `class A:
    def m(self): pass
def make() -> A: ...
def shadowed(rows):
    for make in rows:
        o = make()
        o.m(1)
def elsewhere():
    make = A()
def plain():
    o = make()
    o.m(2)
`;
    expect(uses(source, 'o.m(1)')).toEqual(['?m']);
    expect(uses(source, 'o.m(2)')).toEqual(['a.py A.m (type)']);
  });

  it('is not what the class gives when a nested function has a self of its own', () => {
    const source = `class B:
    def go(self): pass
class A:
    def make(self) -> B: ...
    def install(self, other):
        def patched(self):
            b = self.make()
            b.go()
        other.method = patched
`;
    expect(uses(source, 'b.go()')).toEqual(['?go']);
  });

  it('is not known of a coroutine that is not awaited', () => {
    const source = 'class A:\n    def m(self): pass\nasync def make() -> A: ...\ndef f():\n    make().m()\n';
    expect(uses(source, 'make().m()')).toEqual(['?m']);
  });
});

describe('an imported name in Python', () => {
  const pkg = { 'pkg/__init__.py': '', 'pkg/mod.py': 'def f(): pass\nclass C:\n    def m(self): pass\n' };

  it('may be reached through the whole dotted path, an alias, or the module', () => {
    const sources = {
      ...pkg,
      'a.py': 'import pkg.mod\nimport pkg.mod as m\nfrom pkg import mod\npkg.mod.f()\nm.f()\nmod.f()\n',
    };
    for (const call of ['pkg.mod.f()', 'm.f()', 'mod.f()'])
      expect(uses(sources, call)).toEqual(['pkg/mod.py f (import)']);
  });

  it('is followed through __init__, relative imports and stars', () => {
    const sources = {
      'a.py': 'from pkg import f, C\nf()\nC()\n',
      'pkg/__init__.py': 'from .mod import f as f\nfrom .mod import *\n',
      'pkg/mod.py': pkg['pkg/mod.py'],
    };
    expect(uses(sources, 'f()')).toEqual(['pkg/mod.py f (import)']);
    expect(uses(sources, 'C()')).toEqual(['pkg/mod.py C (import)']);
  });

  it('with an underscore passes through a star only when __all__ lists it', () => {
    const sources = {
      'a.py': 'from pkg import *\n_in()\n_out()\n',
      'pkg/__init__.py': "__all__ = ['_in']\ndef _in(): pass\ndef _out(): pass\n",
    };
    expect(uses(sources, '_in()')).toEqual(['pkg/__init__.py _in (import)']);
    expect(uses(sources, '_out()')).toEqual(['?_out']);
  });

  it('that packages import from each other in a circle ends unresolved', () => {
    const sources = { 'a.py': 'from b import x\nx()\n', 'b.py': 'from a import x\n' };
    expect(uses(sources, 'x()')).toEqual(['?x']);
  });

  it('inside a function is that function own', () => {
    const sources = { ...pkg, 'a.py': 'def g():\n    from pkg.mod import f\n    f()\n' };
    expect(uses(sources, 'f()')).toEqual(['pkg/mod.py f (import)']);
  });

  it('of a package is external, with its dotted name', () => {
    expect(uses('from werkzeug import utils as u\nu.redirect()\n', 'u.redirect()')).toEqual([
      'werkzeug:utils.redirect',
    ]);
  });
});

it('bases in Python that go in a circle end', () => {
  const source = 'class A(B):\n    def f(self):\n        self.gone()\nclass B(A): pass\nclass C(C): pass\n';
  expect(uses(source, 'self.gone()')).toEqual(['?gone']);
});

it('bases in Python are followed through imports', () => {
  const sources = {
    'a.py': 'import b\nfrom x import Y\nclass A(b.B, Y, dict): pass\n',
    'b.py': 'class B: pass\n',
  };
  expect(resolved(sources).bases('a.py')).toEqual([
    'extends b.py B (import)',
    'extends x:Y',
    'extends ?dict',
  ]);
});

it('construction in Python names the class, and __init__ when the class writes it', () => {
  const { resolution } = resolved({ 'a.py': 'class A:\n    def __init__(self): pass\nA()\n' });
  expect(resolution.references.at(-1)).toMatchObject({
    target: { file: 'a.py', definition: 0 },
    constructor_method: { file: 'a.py', definition: 1 },
  });
});

it('the order in which files are given changes nothing', () => {
  const sources = {
    'a.py': 'from b import f\nf()\n',
    'b.py': 'from c import f\n',
    'c.py': 'def f(): pass\n',
  };
  const backwards = Object.fromEntries(Object.entries(sources).reverse());
  expect(resolved(backwards).resolution).toEqual(resolved(sources).resolution);
});

describe('a member in Python that is looked up by a computed name', () => {
  const DISPATCHER = `class Top:
    def visit_top(self): pass
class Visitor(Top):
    def run(self, kind, other: "Visitor"):
        KEY
    def visit_b(self): pass
    def visit_(self): pass
    visit_data = 1
    def b_handler(self): pass
class Unrelated:
    def visit_c(self): pass
`;
  /** What the lookup may reach, of a file with a class that derives from the dispatcher and one with a mixin. */
  const reached = (written: string) => {
    const sources = {
      'a.py': DISPATCHER.replace('KEY', written.split('\n').join('\n        ')),
      'near.py': 'from a import Visitor as V\nclass Near(V):\n    def visit_near(self): pass\n',
      'far.py':
        'import near\nclass Mixin:\n    def visit_mixed(self): pass\nclass Far(Mixin, near.Near):\n    def visit_b(self): pass\n',
      'other.py': 'class Visitor: pass\nclass Other(Visitor):\n    def visit_other(self): pass\n',
    };
    const program = resolved(sources);
    return program.resolution.references.flatMap(({ candidates }) =>
      (candidates ?? []).map(({ file, definition }) => program.facts(file).definitions[definition]?.qualname),
    );
  };
  const ALL = ['Top.visit_top', 'Visitor.visit_b', 'Mixin.visit_mixed', 'Far.visit_b', 'Near.visit_near'];

  it.each([
    'getattr(self, f"visit_{type(kind).__name__}", None)',
    'getattr(self, "visit_" + kind)()',
    "getattr(type(self), 'visit_%s' % kind)",
    'getattr(self.__class__, "visit_{}".format(kind))',
    'getattr(other, f"visit_{kind[0]}")',
    'name = "visit_" + kind\nif name:\n    return getattr(self, name, self.run)(kind)',
  ])('may be any method whose name fits, of its class, of those behind and derived: %s', (written) => {
    expect(reached(written)).toEqual(ALL);
  });

  it('fits by its end too', () => {
    expect(reached('getattr(self, f"{kind}_handler")')).toEqual(['Visitor.b_handler']);
    expect(reached('getattr(self, f"visit_{kind}ed")')).toEqual(['Mixin.visit_mixed']);
  });

  it.each([
    'getattr(self, kind)',
    'getattr(self, f"_{kind}")',
    'getattr(self, f"___{kind}")',
    'getattr(kind, f"visit_{kind}")',
    'getattr(self, f"visit {kind}")',
    'getattr = kind\ngetattr(self, f"visit_{kind}")',
    'name = f"visit_{kind}"\nname = kind\ngetattr(self, name)',
    'getattr(self, "visit_" * 2)',
  ])('is not told where too little is known: %s', (written) => {
    expect(reached(written)).toEqual([]);
  });

  it('is not told where more members fit than a limit', () => {
    const methods = (count: number) =>
      Array.from({ length: count }, (_, at) => `    def on_event_${at}(self): pass\n`).join('');
    const maybe = (count: number) =>
      resolved({
        'a.py': `class A:\n${methods(count)}    def run(self, name): getattr(self, "on_" + name)\n`,
      }).resolution.references.flatMap(({ candidates }) => candidates ?? []).length;
    expect([maybe(256), maybe(257)]).toEqual([256, 0]);
  });
});
