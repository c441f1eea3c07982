import { describe, expect, it } from 'vitest';
import { defineEdge, defineNode, isA, openGraph, z } from '../../index.js';
import { codeOf, Place, Rail, Road, Town } from './graphs.js';

describe('archetypes', () => {
  it('inherit fields, layer and lineage, and make drafts with every default filled', () => {
    expect(Town({ name: 'Ulm' }).props).toEqual({ name: 'Ulm', size: null, mayor: 'nobody' });
    expect(isA(Town, Place)).toBe(true);
    expect(isA(Place, Town)).toBe(false);
    expect(Rail.inline).toEqual(Road.inline);
  });

  it('inherit from several parents, and a field declared again replaces the inherited one', () => {
    const Named = defineNode('Named', { name: z.string() }, { layer: 'derived', indexes: ['name'] });
    const Sized = defineNode('Sized', { size: z.number().default(1) });
    const Both = defineNode('Both', { size: z.string().default('s') }, { extends: [Named, Sized] });
    expect(Both({ name: 'x' }).props).toEqual({ name: 'x', size: 's' });
    expect([...Both.lineage].sort()).toEqual(['Both', 'Named', 'Sized']);
    expect(Both.layer).toBe('derived');
    expect(Both.indexes).toEqual(['name']);
  });

  it('refuse names of fields that references have themselves', async () => {
    expect(await codeOf(() => defineNode('Bad', { id: z.string() }))).toBe('INVALID_ARCHETYPE');
    expect(await codeOf(() => defineEdge('Bad', { from: z.string() }))).toBe('INVALID_ARCHETYPE');
    expect(await codeOf(() => defineNode('Bad', { gone: z.boolean() }))).toBe('INVALID_ARCHETYPE');
    expect(await codeOf(() => defineEdge('Bad', { undirected: z.boolean() }))).toBe('INVALID_ARCHETYPE');
  });

  it('refuse indexes and inline properties that name no field', async () => {
    expect(await codeOf(() => defineNode('Bad', {}, { indexes: ['nmae'] }))).toBe('INVALID_ARCHETYPE');
    expect(await codeOf(() => defineEdge('Bad', {}, { inline: ['km'] }))).toBe('INVALID_ARCHETYPE');
  });

  it('refuse unknown fields and values that do not fit', async () => {
    // @ts-expect-error there is no such field
    expect(await codeOf(() => Place({ nmae: 'x' }))).toBe('INVALID_INPUT');
    // @ts-expect-error a name is a string
    expect(await codeOf(() => Place({ name: 3 }))).toBe('INVALID_INPUT');
    // @ts-expect-error there is no such field
    expect(await codeOf(() => Road({ miles: 3 }))).toBe('INVALID_INPUT');
  });

  it('have names of their own in a graph', async () => {
    const Other = defineNode('Place', { other: z.string() });
    expect(await codeOf(() => openGraph(':memory:', { bare: true, archetypes: [Place, Other] }))).toBe(
      'INVALID_ARCHETYPE',
    );
  });
});
