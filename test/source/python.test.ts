import { describe, expect, it } from 'vitest';
import { CommentReader } from '../../source/comments.js';
import type { FileFacts } from '../../source/facts.js';
import { python } from '../../source/languages/python/index.js';
import { createParser } from '../../source/parser.js';

const parser = await createParser([python]);

/** Twice: what comes out must not depend on what was parsed before. */
function extract(text: string, path = 'a.py'): FileFacts {
  const facts = parser.extractFile(path, text);
  expect(parser.extractFile(path, text)).toEqual(facts);
  return facts;
}

function names(facts: FileFacts): string[] {
  return facts.definitions.map((one) => one.qualname);
}

describe('Python extraction of unusual input', () => {
  it('finds nothing in an empty file and in one that holds only comments', () => {
    expect(extract('')).toMatchObject({ lines: 0, definitions: [], docstring: null, syntax_errors: [] });
    const facts = extract('# one\n\n   # TODO two');
    expect(facts).toMatchObject({ lines: 3, definitions: [], references: [] });
    expect(facts.comments).toEqual([
      { tag: 'TODO', text: 'two', reference: '', line: 3, column: 5, from: null },
    ]);
  });

  it('keeps many comments behind a body apart, also where they stand in a string', async () => {
    const todos = Array.from(
      { length: 100 },
      (_, at) => `${at % 3 === 0 ? '\n' : ''}    # TODO ${at} # more\n`,
    ).join('');
    const text = `def f():\n    g()\n${todos}\nx = """\n${todos}"""\nh()\n`;
    const { comments, definitions, references } = extract(text);
    expect(comments).toHaveLength(100);
    const lines = text.split('\n');
    for (const [at, one] of comments.entries()) {
      expect(one).toMatchObject({ text: `${at} # more`, column: 6, from: 0 });
      expect(lines[one.line - 1]).toContain(`# TODO ${at} `);
    }
    expect(definitions.map(({ span }) => span.end_line)).toEqual([2, lines.length - 2]);
    expect(references.map(({ name }) => name)).toEqual(['g', 'h']);
    const read = await new CommentReader().read('a.py', text);
    expect(read.map(({ line }) => line)).toEqual(comments.map(({ line }) => line));
    expect(read[7]).toMatchObject({ content: 'TODO 7 # more', type: 'line' });
  });

  it('counts lines and columns the same with CRLF, and docstrings have LF', () => {
    const text = 'def f():\n    """A.\n\n    B."""\n    return g(1)\n';
    const [{ unit: one, ...windows }, { unit: other, ...unix }] = [
      extract(text.replaceAll('\n', '\r\n')),
      extract(text),
    ];
    expect(windows).toEqual(unix);
    // A unit holds offsets.
    expect(one?.length).toBe(other?.length);
  });

  it('leaves the byte-order mark out', () => {
    const text = 'x = f()\n';
    expect(extract(`\uFEFF${text}`)).toEqual(extract(text));
  });

  it('counts columns in UTF-16 units', () => {
    const [call] = extract('"😀"; f()').references;
    expect(call).toMatchObject({ name: 'f', line: 1, column: 6 });
  });

  it('reads on after tabs and spaces are mixed', () => {
    const facts = extract('def f():\n\tif x:\n\t    y()\n        \treturn z()\ndef g():\n  pass\n');
    expect(names(facts)).toEqual(['f', 'g']);
    expect(facts.references.map((one) => one.name)).toEqual(['y', 'z']);
  });

  it.each([
    ['a NUL', 'def f(): pass\n\0\ndef g(): pass\n'],
    ['an unterminated string', 'def f(): pass\nx = "abc\ndef g(): pass\n'],
    ['an unterminated docstring', 'def f(): pass\ndef g():\n    """Never\n    ends\n'],
    ['an open bracket', 'def f(): pass\nx = (1,\n\ndef g(): pass\n'],
    ['a merge conflict', 'def f(): pass\n<<<<<<< HEAD\n=======\n>>>>>>> b\ndef g(): pass\n'],
    ['a def without a name', 'def f(): pass\ndef (): pass\ndef g(): pass\n'],
    ['a lone decorator', 'def f(): pass\n@decorated\nx = 1\ndef g(): pass\n'],
    ['a lone surrogate', 'def f(): pass\nx = "\uD800"\ndef g(): pass\n'],
    ['a half f-string', 'def f(): pass\nx = f"{a[\ndef g(): pass\n'],
    ['nonlocal at the top', 'nonlocal f\ndef f(): pass\n'],
    ['global of itself', 'global f\nf = 1\ndef f():\n    global f\n    f()\n'],
  ])('goes on around %s', (_, text) => {
    expect(names(extract(text))).toContain('f');
  });

  it('names the lines of syntax errors, at most 20', () => {
    expect(extract('def f(): pass\nx = = 1\n').syntax_errors).toEqual([2]);
    expect(extract('x = = 1\n'.repeat(100)).syntax_errors).toHaveLength(20);
  });

  it('finds every call of a sum that is as long as a file', () => {
    const facts = extract(`x = ${'f(1) + '.repeat(10_000)}1\n`);
    expect(facts.references.filter((one) => one.kind === 'call')).toHaveLength(10_000);
  });

  it('tells a stub by its path', () => {
    const text = 'def f() -> int: ...\n';
    expect(extract(text, 'a.pyi').definitions[0]?.declaration_only).toBe(true);
    expect(extract(text, 'a.py').definitions[0]?.declaration_only).toBe(false);
  });
});
