import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { CallersOutput } from '../../../walkers/query/query-callers.js';
import { indexed } from '../project.js';
import { asked } from './shops.js';

const callers = async (graph: OpenGraph, function_name: string) => {
  const { body } = await asked<CallersOutput>(graph, 'query_callers', { function_name });
  return body.results.callers.map(({ name }) => name).sort();
};

const ZOO = `package p

type Speaker interface{ Speak() }
type Loud interface {
	Speak()
	Roar()
}
type Base struct{}

func (b Base) Speak() {}

type Cat struct{ Base }

func (c Cat) Speak() {}

type Dog struct{ Base }

func (d Dog) Roar() {}

func callsBase(b Base)       { b.Speak() }
func callsDog(d Dog)         { d.Speak() }
func callsCat(c Cat)         { c.Speak() }
func callsSpeaker(s Speaker) { s.Speak() }
func callsLoud(l Loud)       { l.Speak() }
`;

describe('the callers of a method in Go', () => {
  test('are no calls of what its struct embeds, but those of interfaces', async () => {
    const { graph } = await indexed({ 'go.mod': 'module m\n', 'a.go': ZOO });
    expect(await callers(graph, 'Cat.Speak')).toEqual(['callsCat', 'callsSpeaker']);
  });

  test('are calls of the structs and interfaces that it is lent to', async () => {
    const { graph } = await indexed({ 'go.mod': 'module m\n', 'a.go': ZOO });
    expect(await callers(graph, 'Base.Speak')).toEqual([
      'callsBase',
      'callsDog',
      'callsLoud',
      'callsSpeaker',
    ]);
  });
});
