import { describe, expect, it } from 'vitest';
import { resolved } from './resolved.js';

/** `method > what it overrides (how)` of all files. */
function overrides(sources: Record<string, string> | string, main = 'a.ts'): string[] {
  const program = resolved(typeof sources === 'string' ? { [main]: sources } : sources);
  return program.resolution.overrides.map(({ file, definition, target, resolution }) => {
    const name = (path: string, index: number) => program.facts(path).definitions[index]?.qualname;
    const place = target.file === file ? '' : `${target.file} `;
    return `${name(file, definition)} > ${place}${name(target.file, target.definition)} (${resolution})`;
  });
}

const python = (text: string) => overrides(text, 'a.py');

describe('a method in Python overrides', () => {
  it('the nearest of its name by the order in which classes are searched, in a diamond too', () => {
    expect(
      python(`
class Top:
    def run(self): pass
    def stop(self): pass
class Left(Top): pass
class Right(Top):
    def run(self): pass
class Both(Left, Right):
    def run(self): pass
    def stop(self): pass
`),
    ).toEqual([
      'Right.run > Top.run (exact)',
      'Both.run > Right.run (exact)',
      'Both.stop > Top.stop (exact)',
    ]);
  });

  it('what a protocol or an abstract class of another file asks for, less surely', () => {
    const program = {
      'base.py': 'from typing import Protocol\nclass Reader(Protocol):\n    def read(self): ...\n',
      'a.py': 'from base import Reader\nclass File(Reader):\n    def read(self): pass\n',
    };
    expect(overrides(program)).toEqual(['File.read > base.py Reader.read (import)']);
    const [found] = resolved(program).resolution.overrides;
    expect(found).toMatchObject({ confidence: 0.95, evidence: { line: 3, expression: 'read' } });
  });

  it('nothing behind a class that the project does not have, and nothing by a mangled name', () => {
    expect(
      python(`
from outside import Unknown
class Base:
    def run(self): pass
    def __hidden(self): pass
    def __init__(self): pass
class First(Unknown, Base):
    def run(self): pass
class Second(Base):
    def __hidden(self): pass
    def __init__(self): pass
`),
    ).toEqual(['Second.__init__ > Base.__init__ (exact)']);
  });

  it('once, though a property has a getter and a setter', () => {
    const property = `
    @property
    def size(self): pass
    @size.setter
    def size(self, value): pass
`;
    expect(python(`class A:${property}class B(A):${property}`)).toEqual(['B.size > A.size (exact)']);
  });

  it('no attribute of that name, which hides what lies behind it', () => {
    expect(
      python(`
class Top:
    def run(self): pass
class Mid(Top):
    run = None
class Low(Mid):
    def run(self): pass
`),
    ).toEqual([]);
  });

  it('nothing in classes that are behind each other', () => {
    const cycle = 'class A(B):\n    def run(self): pass\nclass B(A):\n    def run(self): pass\n';
    expect(() => python(cycle)).not.toThrow();
  });
});

describe('a method in TypeScript overrides', () => {
  it('the nearest of the classes behind it, over files', () => {
    expect(
      overrides({
        'top.ts': 'export class Top { run() {} stop() {} }',
        'mid.ts': "import { Top } from './top';\nexport class Mid extends Top { run() {} }",
        'a.ts': "import { Mid } from './mid';\nclass Low extends Mid { run() {} stop() {} }",
      }),
    ).toEqual([
      'Low.run > mid.ts Mid.run (import)',
      'Low.stop > top.ts Top.stop (import)',
      'Mid.run > top.ts Top.run (import)',
    ]);
  });

  it('what each interface asks for that its class says it implements, or one behind that interface', () => {
    expect(
      overrides(`
interface Source { read(): string }
interface Stream extends Source { close(): void }
interface Named { name(): string }
class Base { close() {} }
class File extends Base implements Stream, Named { read() { return '' } close() {} name() { return '' } }
`),
    ).toEqual([
      'File.read > Source.read (exact)',
      'File.close > Base.close (exact)',
      'File.close > Stream.close (exact)',
      'File.name > Named.name (exact)',
    ]);
  });

  it('what an abstract class behind it promises and does not write', () => {
    expect(
      overrides(`
interface Shape { area(): number }
abstract class Base implements Shape { abstract size(): number; area(): number }
abstract class Open implements Shape {}
class Square extends Open { area() { return 1 } }
class Circle extends Base { size() { return 1 } }
`),
    ).toEqual([
      'Base.area > Shape.area (exact)',
      'Square.area > Shape.area (exact)',
      'Circle.size > Base.size (exact)',
    ]);
  });

  it('neither constructors, private members, nor a static one an instance’s', () => {
    expect(
      overrides(`
class A { constructor() {} private secret() {} #own() {} static make() {} run = () => 1 }
class B extends A { constructor() { super() } secret() {} #own() {} make() {} run = () => 2 }
class C extends A { static make() {} }
`),
    ).toEqual(['B.run > A.run (exact)', 'C.make > A.make (exact)']);
  });

  it('one of its signatures, where there are several', () => {
    expect(
      overrides(`
class A { f(a: string): void; f(a: number): void; f(a: unknown) {} }
class B extends A { f(a: string): void; f(a: number): void; f(a: unknown) {} }
`),
    ).toEqual(['B.f > A.f (exact)']);
  });
});

describe('a function of an object literal in TypeScript overrides', () => {
  const shape = 'interface Shape { area(): number; click: () => void; name: string }\n';

  it('the member of the interface that the literal is written for', () => {
    const both = ['one.area > Shape.area (exact)', 'one.click > Shape.click (exact)'];
    const members = '{ area() { return 1 }, click: () => {}, other() {} }';
    expect(overrides(`${shape}const one: Shape = ${members}`)).toEqual(both);
    expect(overrides(`${shape}export const one = ${members} satisfies Partial<Shape>`)).toEqual(both);
  });

  it('nothing where the literal is only handed over', () => {
    expect(overrides(`${shape}const one: Shape = make({ area() { return 1 } })`)).toEqual([]);
  });
});
