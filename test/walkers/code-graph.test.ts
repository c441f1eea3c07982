import { beforeAll, describe, expect, test } from 'vitest';
import { freshLook, type Look } from './project.js';

const BASE = `/** What all have. */
export class Base {
  hello(): string { return 'hi'; }
}
export interface Named { name: string }
export enum Colour { Red, Blue }
export type Id = string;
export const LIMIT = 3;
export function helper(n: number): number { return n; }
`;

const APP = `import { Base, helper, type Named } from './base.js';
import { missing } from './nowhere.js';
import express from 'express';
import { readFile } from 'node:fs';
import type { Colour } from './base.js';

// TODO: say more
export class App extends Base implements Named {
  name = 'app';
  run(): void {
    this.start(); helper(1);
    helper(2);
    express(); missing(); unknown();
    // FIXME: too slow
    readFile('x');
  }
  private start(): void { new Base().hello(); }
}
export const later = async () => helper(3);
later();
`;

describe('TypeScript files come to', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({
      'package.json': '{"name": "@acme/app"}',
      'src/base.ts': BASE,
      'src/app.ts': APP,
      'docs/intro.md': '# Hello\n',
    });
  });

  test('one project named by its manifest, directories, and a File for every text file', () => {
    expect(graph.node('project:')).toEqual({
      type: 'node',
      id: 'project:',
      kind: 'project',
      name: '@acme/app',
    });
    expect(graph.node('dir:')).toMatchObject({ kind: 'directory', path: '', name: '.', is_package: false });
    expect(graph.ids('file')).toEqual([
      'file:docs/intro.md',
      'file:package.json',
      'file:src/app.ts',
      'file:src/base.ts',
    ]);
    expect(graph.node('file:src/base.ts')).toMatchObject({
      name: 'base.ts',
      qualified_name: '@acme/app/base',
      language: 'typescript',
      extension: '.ts',
      size_bytes: BASE.length,
      line_count: 9,
      extracted: true,
      syntax_errors: [],
    });
    expect(graph.node('file:docs/intro.md')).toMatchObject({
      language: 'markdown',
      extracted: false,
      line_count: null,
    });
  });

  test('symbols, whose ids say form, path and name, and whose kinds and subkinds say what they are', () => {
    const kinds = graph.nodes
      .filter(({ path }) => path === 'src/base.ts')
      .map(({ id, kind, symbol_kind, subkind }) => [id, kind, symbol_kind ?? kind, subkind]);
    expect(kinds).toEqual([
      ['cls:src/base.ts:Base', 'class', 'class', null],
      ['cls:src/base.ts:Colour', 'enum', 'class', 'enum'],
      ['cls:src/base.ts:Named', 'interface', 'class', 'interface'],
      ['file:src/base.ts', 'file', 'file', undefined],
      ['fn:src/base.ts:helper', 'function', 'function', null],
      ['m:src/base.ts:Base.hello', 'method', 'method', null],
      ['type:src/base.ts:Id', 'type', 'other', 'type_alias'],
      ['var:src/base.ts:Colour.Blue', 'variable', 'other', 'constant'],
      ['var:src/base.ts:Colour.Red', 'variable', 'other', 'constant'],
      ['var:src/base.ts:LIMIT', 'variable', 'other', 'constant'],
      ['var:src/base.ts:Named.name', 'variable', 'other', 'variable'],
    ]);
  });

  test('properties of a symbol as they are written', () => {
    expect(graph.node('cls:src/base.ts:Base')).toMatchObject({
      name: 'Base',
      qualified_name: '@acme/app/base.Base',
      docstring: 'What all have.',
      start_line: 2,
      end_line: 4,
      line_count: 3,
      exported: true,
      top_level: true,
      base_classes: [],
    });
    expect(graph.node('m:src/app.ts:App.start')).toMatchObject({
      visibility: 'private',
      class_name: '@acme/app/app.App',
      top_level: false,
      return_type: 'void',
    });
    expect(graph.node('cls:src/app.ts:App')).toMatchObject({ base_classes: ['Base', 'Named'] });
    expect(graph.node('fn:src/app.ts:later')).toMatchObject({ is_async: true, start_line: 19 });
    expect(graph.node('fn:src/base.ts:helper')).toMatchObject({
      signature: 'function helper(n: number): number',
      parameters: [{ name: 'n', type: 'number' }],
    });
  });

  test('containment: directories and files nested, symbols flat under their file and nested under each other', () => {
    expect(graph.pairs('CONTAINS').filter((pair) => !pair.includes('import:'))).toEqual([
      'cls:src/app.ts:App > m:src/app.ts:App.run',
      'cls:src/app.ts:App > m:src/app.ts:App.start',
      'cls:src/app.ts:App > var:src/app.ts:App.name',
      'cls:src/base.ts:Base > m:src/base.ts:Base.hello',
      'cls:src/base.ts:Colour > var:src/base.ts:Colour.Blue',
      'cls:src/base.ts:Colour > var:src/base.ts:Colour.Red',
      'cls:src/base.ts:Named > var:src/base.ts:Named.name',
      'dir: > dir:docs',
      'dir: > dir:src',
      'dir: > file:package.json',
      'dir:docs > file:docs/intro.md',
      'dir:src > file:src/app.ts',
      'dir:src > file:src/base.ts',
      'project: > dir:',
    ]);
    const defined = graph.edges.filter(({ kind, from }) => kind === 'DEFINES' && from === 'file:src/app.ts');
    expect(defined.map(({ to, top_level }) => [to, top_level])).toEqual([
      ['cls:src/app.ts:App', true],
      ['fn:src/app.ts:later', true],
      ['m:src/app.ts:App.run', false],
      ['m:src/app.ts:App.start', false],
      ['var:src/app.ts:App.name', false],
    ]);
  });

  test('calls, one edge per pair of caller and callee, with their places as evidence', () => {
    expect(graph.edge('CALLS', 'm:src/app.ts:App.run', 'fn:src/base.ts:helper')).toEqual({
      type: 'edge',
      kind: 'CALLS',
      from: 'm:src/app.ts:App.run',
      to: 'fn:src/base.ts:helper',
      call_type: 'direct',
      line: 11,
      column: 18,
      resolution: 'import',
      confidence: 0.95,
      evidence: [
        { line: 11, expression: 'helper(1)' },
        { line: 12, expression: 'helper(2)' },
      ],
    });
  });

  test('calls that say how they are written and by what they were resolved', () => {
    const calls = graph.edges.filter(({ kind, to }) => kind === 'CALLS' && !String(to).startsWith('sym:'));
    expect(calls.map(({ from, to, call_type, resolution }) => [from, to, call_type, resolution])).toEqual([
      ['file:src/app.ts', 'fn:src/app.ts:later', 'direct', 'exact'],
      ['fn:src/app.ts:later', 'fn:src/base.ts:helper', 'direct', 'import'],
      ['m:src/app.ts:App.run', 'fn:src/base.ts:helper', 'direct', 'import'],
      ['m:src/app.ts:App.run', 'm:src/app.ts:App.start', 'method', 'exact'],
      ['m:src/app.ts:App.start', 'cls:src/base.ts:Base', 'constructor', 'import'],
      ['m:src/app.ts:App.start', 'm:src/base.ts:Base.hello', 'method', 'import'],
    ]);
  });

  test('stubs for what leads nowhere or out of the project: never dropped, never guessed', () => {
    const stubs = graph.edges.filter(({ kind, to }) => kind === 'CALLS' && String(to).startsWith('sym:'));
    expect(stubs.map(({ to, confidence, resolution }) => [to, confidence, resolution])).toEqual([
      ['sym:express.default', 0, 'name'],
      ['sym:fs.readFile', 0, 'name'],
      ['sym:missing', 0, 'name'],
      ['sym:unknown', 0, 'name'],
    ]);
    expect(graph.node('sym:fs.readFile')).toMatchObject({
      kind: 'unresolved',
      name: 'readFile',
      package: 'fs',
    });
    expect(graph.node('sym:unknown')).toMatchObject({ kind: 'unresolved', name: 'unknown', package: null });
  });

  test('imports, each resolved to a file and what is named of it, a package or a stub, and one edge from file to file', () => {
    const resolved = graph.edges.filter(({ kind }) => kind === 'RESOLVES_TO');
    expect(resolved.map(({ from, to, confidence }) => [from, to, confidence])).toEqual([
      ['import:src/app.ts:./base.js', 'cls:src/base.ts:Base', 1],
      ['import:src/app.ts:./base.js', 'cls:src/base.ts:Named', 1],
      ['import:src/app.ts:./base.js', 'file:src/base.ts', 1],
      ['import:src/app.ts:./base.js', 'fn:src/base.ts:helper', 1],
      ['import:src/app.ts:./base.js~2', 'cls:src/base.ts:Colour', 1],
      ['import:src/app.ts:./base.js~2', 'file:src/base.ts', 1],
      ['import:src/app.ts:./nowhere.js', 'sym:src/nowhere.js', 0],
      ['import:src/app.ts:express', 'pkg:express', 1],
      ['import:src/app.ts:node:fs', 'pkg:fs', 1],
    ]);
    expect(graph.node('import:src/app.ts:express')).toMatchObject({
      module: 'express',
      items: ['default as express'],
    });
    expect(graph.node('pkg:express')).toMatchObject({ ecosystem: 'npm', stdlib: false });
    expect(graph.node('pkg:fs')).toMatchObject({ stdlib: true });
    expect(graph.edges.filter(({ kind }) => kind === 'IMPORTS')).toEqual([
      {
        type: 'edge',
        kind: 'IMPORTS',
        from: 'file:src/app.ts',
        to: 'file:src/base.ts',
        line: 1,
        column: 0,
        type_only: false,
        confidence: 1,
      },
    ]);
  });

  test('inheritance, with the place where it is written', () => {
    expect(graph.edge('INHERITS', 'cls:src/app.ts:App', 'cls:src/base.ts:Base')).toMatchObject({
      line: 8,
      resolution: 'import',
      evidence: [{ line: 8, expression: 'Base' }],
    });
    expect(graph.pairs('IMPLEMENTS')).toEqual(['cls:src/app.ts:App > cls:src/base.ts:Named']);
  });

  test('concepts from TODO comments, joined to the file and to the symbol around them', () => {
    expect(graph.nodes.filter(({ kind }) => kind === 'concept')).toEqual([
      {
        type: 'node',
        id: 'concept:todo:FIXME: too slow',
        kind: 'concept',
        label: 'FIXME: too slow',
        description: 'too slow',
        source: 'todo',
      },
      expect.objectContaining({ id: 'concept:todo:TODO: say more' }),
    ]);
    expect(graph.pairs('FILE_MENTIONS_CONCEPT')).toEqual([
      'file:src/app.ts > concept:todo:FIXME: too slow',
      'file:src/app.ts > concept:todo:TODO: say more',
    ]);
    expect(graph.pairs('SYMBOL_IMPLEMENTS_CONCEPT')).toEqual([
      'm:src/app.ts:App.run > concept:todo:FIXME: too slow',
    ]);
  });

  test('nothing that follows from the rest, and nothing of this machine', () => {
    expect(graph.edges.some(({ kind }) => String(kind).includes('DEPENDS'))).toBe(false);
    for (const line of graph.nodes)
      for (const field of ['root_path', 'generation', 'indexed_at', 'last_modified'])
        expect(line).not.toHaveProperty(field);
  });
});

describe('Python files come to', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({
      'src/auth/__init__.py': '',
      'src/auth/models.py': `class User:
    """A user."""

    def login(self) -> bool:
        return check(self)


def check(user):
    return True
`,
      'src/auth/services.py': `import os

import requests

from .models import User, check


class Service(User):
    def go(self):
        u = User()
        u.login()
        self.login()
        check(u)
        os.getcwd()
        requests.get("x")
`,
    });
  });

  test('modules whose names begin at the source root, and packages', () => {
    expect(graph.node('file:src/auth/services.py')).toMatchObject({ qualified_name: 'auth.services' });
    expect(graph.node('file:src/auth/__init__.py')).toMatchObject({ qualified_name: 'auth', line_count: 0 });
    expect(graph.node('dir:src/auth')).toMatchObject({ is_package: true, qualified_name: 'auth' });
    expect(graph.node('dir:src')).toMatchObject({ is_package: false, qualified_name: '' });
    expect(graph.node('m:src/auth/services.py:Service.go')).toMatchObject({
      qualified_name: 'auth.services.Service.go',
      class_name: 'auth.services.Service',
    });
  });

  test('a project without a name when there is no manifest', () => {
    expect(graph.node('project:')).toMatchObject({ name: '' });
  });

  test('calls: constructed, direct, and by the type of the receiver', () => {
    const calls = graph.edges.filter(
      ({ kind, from }) => kind === 'CALLS' && String(from).endsWith('Service.go'),
    );
    expect(calls.map(({ to, call_type, resolution }) => [to, call_type, resolution])).toEqual([
      ['cls:src/auth/models.py:User', 'constructor', 'import'],
      ['fn:src/auth/models.py:check', 'direct', 'import'],
      ['m:src/auth/models.py:User.login', 'method', 'type'],
      ['sym:os.getcwd', 'method', 'name'],
      ['sym:requests.get', 'method', 'name'],
    ]);
    expect(
      graph.edge('CALLS', 'm:src/auth/services.py:Service.go', 'm:src/auth/models.py:User.login'),
    ).toMatchObject({ evidence: [{ line: 11 }, { line: 12 }] });
  });

  test('imports and inheritance across files', () => {
    expect(graph.pairs('IMPORTS')).toEqual(['file:src/auth/services.py > file:src/auth/models.py']);
    expect(graph.pairs('INHERITS')).toEqual([
      'cls:src/auth/services.py:Service > cls:src/auth/models.py:User',
    ]);
    expect(graph.node('pkg:requests')).toMatchObject({ ecosystem: 'pypi' });
    expect(graph.node('pkg:os')).toMatchObject({ stdlib: true });
  });
});

test('two definitions of one name in a file are two nodes', async () => {
  const graph = await freshLook({ 'a.py': 'def f():\n    pass\n\ndef f():\n    pass\n' });
  expect(graph.ids('function')).toEqual(['fn:a.py:f', 'fn:a.py:f~2']);
});

test('two classes of one name in two files both survive', async () => {
  const graph = await freshLook({ 'a/x.ts': 'export class A {}\n', 'b/x.ts': 'export class A {}\n' });
  expect(graph.ids('class')).toEqual(['cls:a/x.ts:A', 'cls:b/x.ts:A']);
});
