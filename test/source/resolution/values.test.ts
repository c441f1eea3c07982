import { describe, expect, it } from 'vitest';
import { interfaceOf } from '../../../source/index.js';
import { resolved } from './resolved.js';

const uses = (sources: Record<string, string> | string, expression: string) =>
  resolved(typeof sources === 'string' ? { 'a.py': sources } : sources).uses('a.py', expression);

const DEFS = 'def f(): pass\ndef g(): pass\ndef h(): pass\n';

describe('a call through a variable in Python', () => {
  it('reaches the function that was assigned last on the way', () => {
    expect(uses(`${DEFS}a = f\na = g\na()\n`, 'a()')).toEqual(['a.py a (exact)', 'a.py g (type)']);
    expect(uses(`${DEFS}def run():\n    a = f\n    a(1)\n    a = g\n    a(2)\n`, 'a(1)')).toEqual([
      'a.py f (type)',
    ]);
  });

  it('of which it is not known what it holds calls the variable', () => {
    const source = `class A:\n    def __init__(self, func):\n        self._func = func\n    def run(self, request):\n        self._func(request)\nhook = pick()\nhook()\n`;
    expect(uses(source, 'self._func(request)')).toEqual(['a.py A._func (exact)']);
    expect(uses(source, 'hook()')).toEqual(['a.py hook (exact)']);
  });

  it('that something unknown is assigned to last reaches nothing', () => {
    expect(uses(`${DEFS}def run():\n    a = f\n    a = pick()\n    a(1)\n`, 'a(1)')).toEqual(['?a']);
  });

  it('of which one of two branches assigns may reach either, and surely neither', () => {
    const source = `${DEFS}def run(x):\n    if x:\n        a = f\n    else:\n        a = g\n    a(1)\n    b = f if x else g\n    b(2)\n`;
    expect(uses(source, 'a(1)')).toEqual(['?a maybe a.py f, a.py g']);
    expect(uses(source, 'b(2)')).toEqual(['?b maybe a.py f, a.py g']);
  });

  it('is taken apart as the value is', () => {
    const source = `${DEFS}def run():\n    a, (b, *c) = f, (g, h, f)\n    a(1); b(1); c[0](1)\n`;
    expect(uses(source, 'a(1)')).toEqual(['a.py f (type)']);
    expect(uses(source, 'b(1)')).toEqual(['a.py g (type)']);
    expect(uses(source, 'c[0](1)')).toEqual(['a.py h (type)']);
  });
});

describe('a call of an item in Python', () => {
  it('reaches what stands under the key, what was put there last, or in a loop each', () => {
    const source = `${DEFS}table = {'a': f, 'b': g}\ntable['b'] = h\ndef run(key):\n    table['a'](1)\n    table['b'](2)\n    table[key](3)\n    for each in [f, g]:\n        each(4)\n`;
    expect(uses(source, "table['a'](1)")).toEqual(['a.py f (type)']);
    expect(uses(source, "table['b'](2)")).toEqual(['a.py h (type)']);
    expect(uses(source, 'table[key](3)')).toEqual(['?table[] maybe a.py f, a.py g, a.py h']);
    expect(uses(source, 'each(4)')).toEqual(['a.py f (type)', 'a.py g (type)']);
  });
});

describe('a call of an item of a field in Python', () => {
  it('reaches what is put there, from more than a hundred places too', () => {
    const filled = Array.from({ length: 150 }, (_, at) => `        self.table['k${at}'] = f\n`).join('');
    const source = `${DEFS}class A:\n    def __init__(self):\n        self.table = {'a': g}\n${filled}    def run(self):\n        self.table['a'](1)\n`;
    expect(uses(source, "self.table['a'](1)")).toContain('a.py g (type)');
  });
});

describe('a call of a parameter in Python', () => {
  it('reaches what each call of the function hands over, by place, by name and by default', () => {
    const source = `${DEFS}def run(a, b=h):\n    a(1)\n    b(2)\nrun(f)\nrun(b=g, a=g)\n`;
    expect(uses(source, 'a(1)')).toEqual(['a.py f (type)', 'a.py g (type)']);
    expect(uses(source, 'b(2)')).toEqual(['a.py h (type)', 'a.py g (type)']);
  });

  it('of a lambda or comprehension is not the parameter of the function around it', () => {
    const source = `${DEFS}def run(a):\n    each(lambda a: a(1))\nrun(f)\n`;
    expect(uses(source, 'a(1)')).toEqual(['?a']);
  });

  it('counts from the second when a method is called on an instance, from the first on its class', () => {
    const source = `${DEFS}class A:\n    def run(self, a):\n        a(1)\nA().run(f)\nA.run(A(), g)\n`;
    expect(uses(source, 'a(1)')).toEqual(['a.py f (type)', 'a.py g (type)']);
  });

  it('knows the attribute that the constructor was given', () => {
    const source = `class A:\n    def go(self): pass\nclass B:\n    def __init__(self, a):\n        self.a = a\n    def run(self):\n        self.a.go()\nB(A()).run()\n`;
    expect(uses(source, 'self.a.go()')).toEqual(['a.py A.go (type)']);
  });
});

describe('a parameter that pytest fills', () => {
  const sources = {
    'app.py':
      'class App:\n    def go(self): pass\n    def client(self) -> "Client": ...\nclass Client:\n    def get(self): pass\n',
    'tests/conftest.py':
      'import pytest\nfrom app import App\n@pytest.fixture\ndef app():\n    app = App()\n    yield app\n@pytest.fixture()\ndef client(app):\n    return app.client()\n',
    'a.py': '',
  };
  const inTest = (source: string, expression: string) =>
    resolved({ ...sources, 'tests/unit/test_a.py': source }).uses('tests/unit/test_a.py', expression);

  it('is what the fixture of its name gives, through other fixtures too', () => {
    const source = 'def test_it(app, client):\n    app.go()\n    client.get()\n';
    expect(inTest(source, 'app.go()')).toEqual(['app.py App.go (type)']);
    expect(inTest(source, 'client.get()')).toEqual(['app.py Client.get (type)']);
  });

  it('is not when a decorator lists its values, or when the function is no test', () => {
    const source =
      'import pytest\n@pytest.mark.parametrize("app", [1])\ndef test_it(app):\n    app.go(1)\ndef helper(app):\n    app.go(2)\n';
    expect(inTest(source, 'app.go(1)')).toEqual(['?go']);
    expect(inTest(source, 'app.go(2)')).toEqual(['?go']);
  });

  it('has members that are decorators, read and handed on, each said as it is used', () => {
    const source =
      'def test_it(app, client):\n    @app.go(1)\n    def f(e): pass\n    @client.get\n    def g(e): pass\n    print(app.client)\n';
    expect(inTest(source, 'app.go(1)')).toEqual(['app.py App.go (type)']);
    expect(inTest(source, 'client.get')).toEqual(['app.py Client.get (type)']);
    expect(inTest(source, 'app.client')).toEqual(['app.py App.client (type)']);
  });
});

describe('what a call gives in Python', () => {
  it('is what the function returns, through modules and closures', () => {
    const sources = {
      'a.py': 'from b import pick, keep, made\npick()()\nkeep(pick())()()\nmade.go()\n',
      'b.py':
        'from c import Thing\ndef inner(): pass\ndef pick():\n    return inner\ndef keep(f):\n    def held():\n        return f\n    return held\nmade = Thing.make()\n',
      'c.py':
        'class Thing:\n    @classmethod\n    def make(cls):\n        return cls()\n    def go(self): pass\n',
    };
    expect(uses(sources, 'pick()()')).toEqual(['b.py inner (type)']);
    expect(uses(sources, 'keep(pick())()')).toEqual(['b.py keep.held (type)']);
    expect(uses(sources, 'keep(pick())()()')).toEqual(['b.py inner (type)']);
    expect(uses(sources, 'made.go()')).toEqual(['c.py Thing.go (type)']);
  });

  it('of a coroutine is what it returns once it is awaited, and has no members before', () => {
    const source =
      'class A:\n    def go(self): pass\nasync def make() -> A: ...\nasync def run():\n    a = await make()\n    a.go(1)\n    b = make()\n    b.go(2)\n';
    expect(uses(source, 'a.go(1)')).toEqual(['a.py A.go (type)']);
    expect(uses(source, 'b.go(2)')).toEqual(['?go']);
  });

  it('in a circle is nothing', () => {
    const source = 'def a():\n    return b()\ndef b():\n    return a()\na()()\nx = x\nx.y()\n';
    expect(uses(source, 'a()()')).toEqual(['?a()']);
    expect(uses(source, 'x.y()')).toEqual(['?y']);
  });
});

describe('annotations in Python', () => {
  it('tell the items of containers', () => {
    const source =
      'class A:\n    def go(self): pass\nclass B:\n    items: list[A]\n    def run(self, by: dict[str, A], pair: tuple[int, A]):\n        for one in self.items: one.go(1)\n        for key, value in by.items(): value.go(2)\n        by["x"].go(3)\n        pair[1].go(4)\n        [each.go(5) for each in by.values()]\n';
    for (const at of [1, 2, 4, 5]) {
      const name = { 1: 'one', 2: 'value', 4: 'pair[1]', 5: 'each' }[at];
      expect(uses(source, `${name}.go(${at})`)).toEqual(['a.py A.go (type)']);
    }
    expect(uses(source, 'by["x"].go(3)')).toEqual(['a.py A.go (type)']);
  });

  it('of two classes make candidates of both', () => {
    const source =
      'class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\ndef run(x: A | B):\n    x.go()\n';
    expect(uses(source, 'x.go()')).toEqual(['?go maybe a.py A.go, a.py B.go']);
  });
});

describe('what a condition tells in Python', () => {
  const CLASSES = 'class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n';

  it('holds in its branch, until something else is assigned', () => {
    const source = `${CLASSES}def run(x, y):\n    if y and isinstance(x, A):\n        x.go(1)\n        x = pick()\n        x.go(2)\n    x.go(3)\n`;
    expect(uses(source, 'x.go(1)')).toEqual(['a.py A.go (type)']);
    expect(uses(source, 'x.go(2)')).toEqual(['?go']);
    expect(uses(source, 'x.go(3)')).toEqual(['?go']);
  });

  it('holds in a branch that ends with nothing but a word', () => {
    const source = `${CLASSES}def run(x):\n    if isinstance(x, A):\n        x.go(1)\n        return\n    x.go(2)\n`;
    expect(uses(source, 'x.go(1)')).toEqual(['a.py A.go (type)']);
    expect(uses(source, 'x.go(2)')).toEqual(['?go']);
  });

  it('holds behind an assertion and behind what left otherwise', () => {
    const source = `${CLASSES}def run(x, y):\n    if not isinstance(x, A):\n        return\n    x.go(1)\n    assert isinstance(y, (A, B))\n    y.go(2)\n`;
    expect(uses(source, 'x.go(1)')).toEqual(['a.py A.go (type)']);
    expect(uses(source, 'y.go(2)')).toEqual(['?go maybe a.py A.go, a.py B.go']);
  });
});

describe('a name in Python that is bound again', () => {
  const CLASSES =
    'import os\nclass A:\n    next = None\n    def run(self): pass\nclass B:\n    def run(self): pass\nclass Child(A): pass\n';
  const inside = (lines: string) => `${CLASSES}def use(x0):\n${lines.replace(/^/gm, '    ')}\n`;
  const open: [by: string, lines: string][] = [
    ['what a call gives, taken apart', 'x = A()\nx, y = unknown()\nx.run()'],
    ['a call of something unknown', 'x = A()\nx = unknown()\nx.run()'],
    ['a number', 'x = A()\nx = 3\nx.run()'],
    ['a loop', 'x = A()\nfor x in unknown(): x.run()'],
    ['a loop that has ended', 'x = A()\nfor x in unknown(): pass\nx.run()'],
    ['a `with`', "x = A()\nwith open('f') as x: x.run()"],
    ['an operator', 'x = A()\nx += 1\nx.run()'],
    ['nothing but a deletion', 'x = A()\ndel x\nx.run()'],
    ['a number behind its deletion', 'x = A()\ndel x\nx = 3\nx.run()'],
    ['an inner function', 'x = A()\ndef g():\n    nonlocal x\n    x = None\ng()\nx.run()'],
    ['an inner function, to a number', 'x = A()\ndef g():\n    nonlocal x\n    x = 3\ng()\nx.run()'],
    ['a module', 'x = Child()\nx = os.path\nx.run()'],
    ['an exception', 'x = A()\ntry: pass\nexcept Error as x: x.run()'],
    ['a pattern', 'x = A()\nmatch x0:\n    case [x]: x.run()'],
    ['a walrus', 'x = A()\nif (x := 3): x.run()'],
    ['a comprehension', 'x = A()\n[x.run() for x in unknown()]'],
    ['a lambda', 'x = A()\neach(lambda x: x.run())'],
    ['an item of nothing known', 'x = A()\nfor y, x in unknown(): x.run()'],
    ['a later round of a loop', 'x = A()\nwhile x0:\n    x.run()\n    x = unknown()'],
    ['one of two branches', 'x = A()\nif x0:\n    x = unknown()\nx.run()'],
  ];
  for (const [by, lines] of open)
    it(`by ${by} is not what it was`, () => {
      for (const source of [inside(lines), `${CLASSES}${lines.replace('nonlocal', 'global')}\n`])
        expect(uses(source, 'x.run()').filter((one) => /^a\.py/.test(one))).toEqual([]);
    });

  it('is not what its parameter is annotated with', () => {
    const five = `${CLASSES}def five(x: A):\n    x = x.next\n    x.run()\n`;
    expect(uses(five, 'x.run()')).toEqual(['?run']);
    const four = `${CLASSES}def four(x: A):\n    x.run(1)\n    x = B()\n    x.run(2)\n`;
    expect(uses(four, 'x.run(1)')).toEqual(['a.py A.run (type)']);
    expect(uses(four, 'x.run(2)')).toEqual(['a.py B.run (type)']);
  });

  it('is what it was where nothing else can have been bound', () => {
    const lines =
      'x = None\nx = A()\nx.run(1)\nif x0:\n    x.run(2)\n    x = 3\ntry: pass\nexcept B as e:\n    e.run(3)\nw = None\nmatch x0:\n    case [y]: w = A()\n    case _: w = A()\nw.run(4)\nz: A = other()\nz.run(5)';
    for (const at of [1, 2]) expect(uses(inside(lines), `x.run(${at})`)).toEqual(['a.py A.run (type)']);
    expect(uses(inside(lines), 'w.run(4)')).toEqual(['a.py A.run (type)']);
    expect(uses(inside(lines), 'z.run(5)')).toEqual(['a.py A.run (type)']);
    expect(uses(inside(lines), 'e.run(3)')).toEqual(['a.py B.run (type)']);
    const star = { 'b.py': CLASSES, 'a.py': 'from b import *\nx = A()\nx.run(1)\nx += 1\nx.run(2)\n' };
    expect(uses(star, 'x.run(1)')).toEqual(['b.py A.run (type)']);
    expect(uses(star, 'x.run(2)')).toEqual(['?run']);
  });

  it('is in a pattern not what only is looked up there', () => {
    const source = `${CLASSES}class K:\n    a = A()\n    def go(x0):\n        match x0:\n            case K.a: pass\n        K.a.run()\n`;
    expect(uses(source, 'K.a.run()')).toEqual(['a.py A.run (type)']);
  });

  it('is what it was bound to last, and before that what it was', () => {
    const source = inside('x = A()\nx.run(1)\nx = B()\nx.run(2)\nx, y = unknown()\nx.run(3)');
    expect(uses(source, 'x.run(1)')).toEqual(['a.py A.run (type)']);
    expect(uses(source, 'x.run(2)')).toEqual(['a.py B.run (type)']);
    expect(uses(source, 'x.run(3)')).toEqual(['?run']);
  });
});

describe('the interface of a file', () => {
  const facts = (source: string) => resolved({ 'a.py': source }).facts('a.py');

  it('stays as it is when a local changes that does not leave its function', () => {
    const source = (value: string) => `${DEFS}def run():\n    a = ${value}\n    a()\n    return 1\n`;
    expect(interfaceOf(facts(source('f')))).toBe(interfaceOf(facts(source('g'))));
  });

  it('changes with what a function returns, over a local too', () => {
    const source = (value: string) => `${DEFS}def run():\n    a = ${value}\n    return a\n`;
    expect(interfaceOf(facts(source('f')))).not.toBe(interfaceOf(facts(source('g'))));
  });
});

describe('what comes from a library in Python', () => {
  it('is named by its class, through assignments, fields, `with` and items', () => {
    const source = `import http.client as h
from io import BytesIO
from typing import Any, Mapping
class A:
    def __init__(self):
        self.buffer = BytesIO()
    def run(self, by: Mapping[str, int], any: Any):
        self.buffer.seek(0)
        with BytesIO() as b: b.tell()
        c = h.HTTPConnection('x')
        c.request('GET')
        by.keys()
        any.go()
`;
    expect(uses(source, 'self.buffer.seek(0)')).toEqual(['io:BytesIO.seek']);
    expect(uses(source, 'b.tell()')).toEqual(['io:BytesIO.tell']);
    expect(uses(source, "c.request('GET')")).toEqual(['http:client.HTTPConnection.request']);
    expect(uses(source, 'by.keys()')).toEqual(['typing:Mapping.keys']);
    expect(uses(source, 'any.go()')).toEqual(['?go']);
  });
});
