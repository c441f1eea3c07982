import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ProgressNote, steadyProgress } from '../../mcp/serve.js';
import { inputSchema, outputSchema } from '../../mcp/tools.js';

describe('the schemas of a tool', () => {
  it('say of an input what a model must know, and nothing that goes without saying', () => {
    const schema = z.object({
      name: z.string().describe('Whose'),
      depth: z.number().int().min(1).max(5).default(1),
      count: z.number().int().optional(),
      globs: z.array(z.string()).default([]),
      scope: z.string().nullable().optional(),
    });
    expect(inputSchema(z.toJSONSchema(schema, { io: 'input' }))).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Whose' },
        depth: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
        count: { type: 'integer' },
        globs: { type: 'array', items: { type: 'string' } },
        scope: { type: ['string', 'null'] },
      },
      required: ['name'],
    });
  });

  it('keep fields that are called like keywords of JSON Schema', () => {
    const { properties } = outputSchema(
      z.toJSONSchema(z.object({ required: z.boolean(), description: z.string() })),
    );
    expect(properties).toEqual({ required: { type: 'boolean' }, description: { type: 'string' } });
  });

  it('write a large part of an answer once, however often it is there', () => {
    const row = () =>
      z.object({ id: z.string(), name: z.string(), path: z.string(), line: z.number(), score: z.number() });
    const schema = outputSchema(
      z.toJSONSchema(z.object({ first: z.array(row()), second: z.array(row()), small: z.string() })),
    );
    expect(schema.properties).toEqual({
      first: { $ref: '#/$defs/1' },
      second: { $ref: '#/$defs/1' },
      small: { type: 'string' },
    });
    expect(schema.$defs).toHaveProperty('1.items.properties.score', { type: 'number' });
  });
});

describe('progress', () => {
  it('only ever grows, over all phases, and comes no faster than somebody reads', () => {
    const notes: ProgressNote[] = [];
    let time = 0;
    const progress = steadyProgress(
      (note) => notes.push(note),
      () => time,
    );
    progress({ phase: 'look', done: 0, total: null });
    time += 1000;
    progress({ phase: 'read', done: 1, total: 2, item: 'a.ts' });
    progress({ phase: 'read', done: 2, total: 2, item: 'b.ts' });
    time += 1000;
    progress({ phase: 'read', done: 3, total: 4 });
    progress({ phase: 'write', done: 0, total: null });
    progress({ phase: 'write', done: 5, total: null });
    expect(notes).toEqual([
      { progress: 0, message: 'look' },
      { progress: 1, total: 2, message: 'read: a.ts' },
      { progress: 3, total: 4, message: 'read' },
    ]);
    time += 1000;
    progress({ phase: 'write', done: 6, total: 9 });
    expect(notes.at(-1)).toEqual({ progress: 9, total: 12, message: 'write' });
  });
});
