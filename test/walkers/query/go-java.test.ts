import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { CallersOutput } from '../../../walkers/query/query-callers.js';
import type { DependenciesOutput } from '../../../walkers/query/query-dependencies.js';
import type { ExportsOutput } from '../../../walkers/query/query-exports.js';
import { type Files, indexed } from '../project.js';
import { asked } from './shops.js';

const callers = (graph: OpenGraph, function_name: string, input: object = {}) =>
  asked<CallersOutput>(graph, 'query_callers', { function_name, ...input });
const callerNames = async (...question: Parameters<typeof callers>) =>
  (await callers(...question)).body.results.callers.map(({ qualified_name }) => qualified_name);

const JAVA: Files = {
  'pom.xml': '<project/>\n',
  'src/main/java/shop/Cell.java': `package shop;

public class Cell {
  private int value;

  public Cell() {
  }

  public Cell(int value) {
    this.value = value;
  }

  public Cell add(int more) {
    value += more;
    return this;
  }

  public Cell add(String more) {
    return add(more.length());
  }

  public Cell add(java.util.List<String> more, char[] end) {
    return add(more.size() + end.length);
  }

  static class Inner {
    int get() {
      return 1;
    }
  }
}
`,
  'src/main/java/shop/Named.java': `package shop;

class Named extends Cell {
  Named(String name) {
    add(name);
  }
}
`,
  'src/main/java/shop/Plain.java': `package shop;

class Plain extends Cell {
}
`,
  'src/main/java/shop/Uses.java': `package shop;

class Uses {
  Cell empty() {
    return new Cell();
  }

  Cell full() {
    return new Cell(1).add(2);
  }

  Cell named() {
    return new Named("a");
  }

  Cell plain() {
    return new Plain();
  }

  int inner() {
    return new Cell.Inner().get();
  }
}
`,
};

test('a class of Java stands for its constructors, which have its name', async () => {
  const { graph } = await indexed(JAVA);
  const { body } = await callers(graph, 'Cell');
  expect(body.results.target).toMatchObject({ qualified_name: 'shop.Cell', kind: 'class' });
  expect(await callerNames(graph, 'Cell')).toEqual(['shop.Uses.empty', 'shop.Uses.full']);
  expect(await callerNames(graph, 'Cell.Cell')).toEqual([
    'shop.Uses.empty',
    'shop.Uses.full',
    'shop.Uses.plain',
  ]);
  expect(await callerNames(graph, 'Named')).toEqual(['shop.Uses.named']);
});

test('overloads that each run stand at the first of them, and say how many there are', async () => {
  const { graph } = await indexed(JAVA);
  const { body, markdown } = await callers(graph, 'Cell.add');
  expect(body.results.target).toMatchObject({ line_start: 13, overloads: 3 });
  expect(markdown).toContain('src/main/java/shop/Cell.java:13, 3 overloads from line 13)');
  const one = await callers(graph, 'src/main/java/shop/Cell.java:19');
  expect(one.body.results.target).toMatchObject({ line_start: 18 });
  expect(one.body.results.target).not.toHaveProperty('overloads');
  expect(one.body.results.callers.map(({ name }) => name)).toEqual(['Named']);
});

const GO: Files = {
  'go.mod': 'module example.com/web\n\ngo 1.22\n',
  'engine.go': `package web

type Engine struct{ on bool }

func (e *Engine) Run() bool { return e.on }

func New() *Engine { return &Engine{} }
`,
  'src/find.go': `package finder

type List[T any] struct{ items []T }

func (l *List[T]) Push(one T) { l.items = append(l.items, one) }

func Find() int { return 1 }
`,
  'main/main.go': `package main

import (
	"example.com/web"
	finder "example.com/web/src"
)

func main() {
	web.New().Run()
	finder.Find()
	l := &finder.List[int]{}
	l.Push(1)
}
`,
};

test.each([
  ['(*Engine).Run', 'example.com/web.Engine.Run'],
  ['*Engine.Run', 'example.com/web.Engine.Run'],
  ['(*web.Engine).Run', 'example.com/web.Engine.Run'],
  ['example.com/web.(*Engine).Run', 'example.com/web.Engine.Run'],
  ['example.com/web/v2.(*Engine).Run', 'example.com/web.Engine.Run'],
  ['(*List[T]).Push', 'example.com/web/src.List.Push'],
  ['finder.Find', 'example.com/web/src.Find'],
  ['(*finder.List).Push', 'example.com/web/src.List.Push'],
])('names of Go are read as its tools write them: %s', async (name, qualified_name) => {
  const { graph } = await indexed(GO);
  const { body } = await callers(graph, name);
  expect(body.results.target).toMatchObject({ qualified_name });
  expect(body.results.callers).toMatchObject([{ name: 'main' }]);
});

test.each([
  ['Cell.add(int)', 13],
  ['Cell#add(java.lang.String)', 18],
  ['shop.Cell.add(String more)', 18],
  ['Cell.add(List<String>, char[])', 22],
  ['Cell.<init>', 6],
  ['Cell.Cell(int)', 9],
  ['Cell$Inner.get', 27],
  ['shop.Cell$Inner#get()', 27],
])('names of Java are read as its tools write them: %s', async (name, line_start) => {
  const { graph } = await indexed(JAVA);
  const { body } = await callers(graph, name);
  expect(body.results.target).toMatchObject({ line_start });
});

test('an overload that is not there leads nowhere', async () => {
  const { graph } = await indexed(JAVA);
  for (const name of ['Cell.add(long)', 'Cell.add(int, int)', 'Cell$Other.get'])
    await expect(callers(graph, name), name).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});

/** A package of more files than there are meanings of an ambiguous name. */
const WIDE: Files = {
  'go.mod': 'module example.com/web\n\ngo 1.22\n',
  ...Object.fromEntries(
    Array.from({ length: 14 }, (_, at) => [
      `render/part${at}.go`,
      `package render\n\nimport "strings"\n\nfunc Part${at}() string { return strings.ToUpper(own()) }\n`,
    ]),
  ),
  'render/render.go': 'package render\n\nimport "fmt"\n\nfunc own() string { return fmt.Sprint(1) }\n',
  'render/render_test.go':
    'package render\n\nimport "testing"\n\nfunc Helper() {}\n\nfunc TestOwn(t *testing.T) { own() }\n',
  'render/out_test.go': 'package render_test\n\nimport "testing"\n\nfunc TestOut(t *testing.T) {}\n',
};

test.each(['render', 'example.com/web/render', './render'])(
  'a package of Go is one module of all its files but its tests: %s',
  async (name) => {
    const { graph } = await indexed(WIDE);
    const { body, markdown } = await asked<ExportsOutput>(graph, 'query_exports', { module_name: name });
    const offered = body.results.exports.map((row) => row.name).sort();
    expect(offered).toEqual(Array.from({ length: 14 }, (_, at) => `Part${at}`).sort());
    expect(body.results.target).toMatchObject({ qualified_name: 'example.com/web/render', files: 15 });
    expect(markdown).not.toContain('qualify');
    const needs = await asked<DependenciesOutput>(graph, 'query_dependencies', { target: name });
    expect(needs.body.results.imports.map((row) => row.name).sort()).toEqual(['fmt', 'strings']);
    expect(needs.body.results.calls).toEqual([]);
    expect(needs.markdown).not.toContain('qualify');
  },
);

test('a package of Java is one module of all its files but its tests', async () => {
  const { graph } = await indexed({
    ...JAVA,
    'src/test/java/shop/CellTest.java': 'package shop;\n\npublic class CellTest {\n}\n',
  });
  const { body } = await asked<ExportsOutput>(graph, 'query_exports', { module_name: 'shop' });
  expect(body.results.target).toMatchObject({ qualified_name: 'shop', files: 4 });
  expect(body.results.exports.map(({ name }) => name)).toContain('Cell');
  expect(body.results.exports.map(({ name }) => name)).not.toContain('CellTest');
});

test('a bare name may be no method in Go, and a call with a receiver no function', async () => {
  const { graph } = await indexed({
    'go.mod': 'module example.com/web\n\ngo 1.22\n',
    'web.go': `package web

import "os/exec"

type Engine struct{}

func (e *Engine) handle(n int) int { return n }

func (e *Engine) Run() {}

func Run() {}

func Serve(handle func(int) int, cmd *exec.Cmd, any interface{}) {
	handle(1)
	cmd.Run()
	unknown().Run()
	unknown().handle(2)
}
`,
    'other.go': 'package web\n\nfunc Other(handle func(int) int) { handle(1) }\n',
  });
  const may = async (name: string) => {
    const { results, state } = (await callers(graph, name)).body;
    return { rows: results.may_call?.map(({ caller }) => caller) ?? [], count: state.unresolved };
  };
  expect(await may('web.go:11')).toEqual({ rows: [], count: 0 });
  // It also calls one of that name of what is not known.
  expect(await may('Engine.handle')).toEqual({ rows: ['example.com/web.Serve'], count: 1 });
  expect(await may('Engine.Run')).toEqual({ rows: ['example.com/web.Serve'], count: 1 });
});

test('a bare name may be a method of its own class or one around it alone in Java', async () => {
  const { graph } = await indexed({
    'pom.xml': '<project/>\n',
    'src/main/java/shop/A.java': 'package shop;\n\nclass A extends gone.Base {\n  void run(int n) {}\n}\n',
    'src/main/java/shop/B.java':
      'package shop;\n\nclass B extends gone.Base {\n  void start(Object box) {\n    run(1);\n  }\n}\n',
  });
  expect((await callers(graph, 'A.run')).body.results).not.toHaveProperty('may_call');
});

test('a method that overrides is called with its type, also where that is no class', async () => {
  const { graph } = await indexed({
    'go.mod': 'module example.com/web\n\ngo 1.22\n',
    'types.go': 'package web\n\ntype Matcher interface{ Match(n int) bool }\n',
    'match.go':
      'package web\n\ntype Func func(int) bool\n\nfunc (f Func) Match(n int) bool { return f(n) }\n\nfunc Ask(m Matcher) bool { return m.Match(1) }\n',
  });
  const { markdown } = await asked(graph, 'query_call_graph', { entry_point: 'Ask' });
  expect(markdown).toContain('- `Func.Match` method, match.go:5 (may run instead)');
});
