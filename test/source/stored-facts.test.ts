import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createParser, factsFromBytes, factsToBytes, interfaceOf, languages } from '../../source/index.js';

import { linkRulesOf } from '../../source/languages/index.js';
import { unitView } from '../../source/link/unit-view.js';

const parser = await createParser(languages);
const SAMPLES = join(import.meta.dirname, '../languages');

const samples = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
  .filter((path) => parser.languageOf(path) !== null)
  .sort();

const factsOf = (path: string) => parser.extractFile(path, readFileSync(join(SAMPLES, path), 'utf8'));

/** What JSON keeps: fields that are absent and undefined are alike. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('stored facts', () => {
  it('are what was extracted', () => {
    expect(samples.length).toBeGreaterThan(20);
    for (const path of samples) {
      const facts = factsOf(path);
      const read = factsFromBytes(factsToBytes(facts));
      // Absent and false, absent and null are the same by what the fields say of themselves.
      for (const one of facts.definitions) {
        one.is_property ??= false;
        one.block ??= null;
      }
      for (const one of facts.types) one.block ??= null;
      expect(plain(read)).toEqual(plain(facts));
    }
  });

  it('keep texts beyond Latin-1, halves of characters among them, beside others', () => {
    const facts = parser.extractFile('a.py', 'def f(): pass\n');
    for (const text of ['', 'é', 'π – ☃', '😀', '\ud83d', 'plain', '\0']) {
      const given = { ...facts, docstring: text };
      expect(factsFromBytes(factsToBytes(given)).docstring).toBe(text);
    }
    const many = { ...facts, docstring: null, syntax_errors: [0, 127, 128, 16_384, 0x7fffffff, -1, -9634] };
    expect(factsFromBytes(factsToBytes(many))).toMatchObject({
      docstring: null,
      syntax_errors: many.syntax_errors,
    });
  });

  it('have one shape for each kind of fact', () => {
    const fields = new Map<string, Set<string>>();
    for (const path of samples)
      for (const [kind, list] of Object.entries(factsFromBytes(factsToBytes(factsOf(path)))))
        if (Array.isArray(list) && kind !== 'syntax_errors')
          for (const fact of list) {
            const shapes = fields.get(kind) ?? new Set();
            fields.set(kind, shapes.add(Object.keys(fact).join()));
          }
    expect([...fields].map(([kind, shapes]) => [kind, shapes.size])).toEqual(
      [...fields.keys()].map((kind) => [kind, 1]),
    );
  });

  it('are refused when they are cut, changed in length or written by another version', () => {
    const bytes = factsToBytes(factsOf('typescript/classes.ts'));
    for (const length of [0, 1, 5, 9, bytes.length - 1])
      expect(() => factsFromBytes(bytes.slice(0, length))).toThrow(SyntaxError);
    expect(() => factsFromBytes(new Uint8Array([...bytes, 0]))).toThrow(SyntaxError);
    expect(() => factsFromBytes(new TextEncoder().encode('{"language":"python"}'))).toThrow(SyntaxError);
    for (let at = 0; at < bytes.length; at += 7) {
      const wrong = bytes.slice();
      wrong[at] = 255;
      try {
        factsFromBytes(wrong);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(SyntaxError);
      }
    }
  });

  it('are refused with a unit that was cut or changed, or that can be read to its end', () => {
    const facts = factsOf('java/shadowed.java');
    const { unit = new Uint8Array() } = facts;
    expect(unit.length).toBeGreaterThan(100);
    const read = (bytes: Uint8Array) => factsFromBytes(factsToBytes({ ...facts, unit: bytes }));
    for (const length of [1, 8, 40, unit.length >> 1, unit.length - 1])
      expect(() => read(unit.slice(0, length))).toThrow(SyntaxError);
    expect(() => read(Uint8Array.from([...unit, 0]))).toThrow(SyntaxError);
    let refused = 0;
    for (let at = 0; at < unit.length; at += 3)
      for (const value of [0, 127, 255]) {
        const wrong = unit.slice();
        wrong[at] = value;
        try {
          interfaceOf(read(wrong));
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(SyntaxError);
          refused += 1;
        }
      }
    expect(refused).toBeGreaterThan(100);
    expect(unitView('a.java', { ...facts, unit: unit.slice(0, 40) }, linkRulesOf('java'))).toBeNull();
  });

  it('show others the same whether they were just extracted or read back', () => {
    for (const path of samples) {
      const facts = factsOf(path);
      expect(interfaceOf(factsFromBytes(factsToBytes(facts)))).toBe(interfaceOf(facts));
    }
  });
});
