import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Language, languageOf, languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';

it('knows the extracted languages by the longest ending, whatever the case', () => {
  const name = (path: string) => languageOf(path)?.name ?? null;
  expect(name('src/a.ts')).toBe('typescript');
  expect(name('types/index.d.ts')).toBe('typescript');
  expect(name('a.mts')).toBe('typescript');
  expect(name('A.TSX')).toBe('tsx');
  expect(name('a.cjs')).toBe('javascript');
  expect(name('a.jsx')).toBe('jsx');
  expect(name('a.pyi')).toBe('python');
  expect(name('a.unknown')).toBeNull();
  expect(name('dir.ts/README')).toBeNull();
});

it('names the language and the file of a grammar that is missing', async () => {
  const created = createParser(languages, { grammarPath: (grammar) => `/nowhere/${grammar}` });
  await expect(created).rejects.toMatchObject({
    code: 'GRAMMAR_FAILED',
    message: expect.stringMatching(/typescript.*\/nowhere\/tree-sitter-typescript\.wasm/),
  });
});

it('names the language and the file of a grammar that is damaged', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'codewalk-')), 'damaged.wasm');
  writeFileSync(path, 'not wasm');
  const created = createParser(languages, { grammarPath: () => path });
  await expect(created).rejects.toMatchObject({
    code: 'GRAMMAR_FAILED',
    message: expect.stringContaining(path),
  });
});

it('refuses a file of a language that was not loaded', async () => {
  const parser = await createParser(languages.filter(({ name }) => name === 'typescript'));
  expect(() => parser.extractFile('a.py', '')).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('a.py') }),
  );
});

it('names the file when an extractor fails, and goes on with the next', async () => {
  const failing: Language = {
    name: 'failing',
    extensions: ['.fail'],
    grammar: 'tree-sitter-typescript.wasm',
    version: 1,
    extract: () => {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  const parser = await createParser([...languages, failing]);
  expect(() => parser.extractFile('dir/a.fail', 'x')).toThrow(
    expect.objectContaining({ code: 'PARSE_FAILED', message: expect.stringContaining('dir/a.fail') }),
  );
  expect(parser.extractFile('a.ts', 'class A {}').definitions).toHaveLength(1);
});

it('gives a file up that makes the grammar begin again and again', async () => {
  const parser = await createParser(languages);
  const open = '/* a\n'.repeat(4000);
  expect(() => parser.extractFile('a.ts', open)).toThrow(
    expect.objectContaining({ code: 'PARSE_FAILED', message: expect.stringContaining('too often') }),
  );
  // What was given up leaves nothing behind.
  expect(parser.extractFile('b.ts', 'export const b = 1;').definitions).toHaveLength(1);
  parser.delete();
});
