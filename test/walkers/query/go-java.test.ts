import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { CallersOutput } from '../../../walkers/query/query-callers.js';
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
