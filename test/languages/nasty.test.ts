import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../source/facts.js';
import { languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';
import { unitFaults } from './unit-faults.js';

const parser = await createParser(languages);

/** Characters of the longest text that is extracted twice: what differs the second time does so in short ones, too. */
const TWICE = 3_000;

/** The facts of a text, which are the same the second time. */
function factsOf(path: string, text: string): FileFacts {
  const facts = parser.extractFile(path, text);
  if (text.length <= TWICE) expect(JSON.stringify(parser.extractFile(path, text))).toBe(JSON.stringify(facts));
  expect(unitFaults(facts)).toEqual([]);
  return facts;
}

const nested = (depth: number): string => `${'function f() {\n'.repeat(depth)}g();\n${'}\n'.repeat(depth)}`;

/** Inputs that nobody writes and every index meets. */
const inputs: Record<string, string> = {
  'an empty file': '',
  'blanks only': ' \n\t\n\n',
  'comments only': '// a\n/* b */\n/** c */\n# d\n',
  '200 nested functions': nested(200),
  '3000 nested functions': nested(3000),
  'an unterminated string': 'const a = "never ends\nconst b = 1;\n',
  'an unterminated template': 'const a = `never ends ${b\n',
  'an unterminated comment': 'const a = 1; /* never ends\n',
  'unbalanced brackets': '((((([[[[{{{{\n'.repeat(50),
  'closing brackets only': ')]}'.repeat(200),
  'Windows line ends': 'class A {\r\n  m() {}\r\n}\r\n',
  'old line ends': 'const a = 1;\rconst b = 2;\r',
  'a byte-order mark': '\uFEFFexport const a = 1;\n',
  'only a byte-order mark': '\uFEFF',
  'a NUL': 'const a = 1;\0\nconst b = "\0";\n',
  'lone surrogates': 'const a = "\uD800"; const b = "\uDC00";\n',
  'a line of 100 KB': `const a = [${`f("${'x'.repeat(100)}"), `.repeat(1_000)}0];`,
  'a long chain of operators': `const a = ${'b + '.repeat(12_000)}c;\n`,
  'a long chain of calls': `a${'.b()'.repeat(5_000)};\n`,
  'a long chain of routes': `import { Hono } from 'hono';\nnew Hono()${".get('/x', f)".repeat(1_000)};\n`,
  'a long chain of what is no router': `import { Hono } from 'hono';\nhono()${".get('/x', f)".repeat(1_000)};\n`,
  'many decorators': `from flask import Flask\n${"@app.route('/x')\n".repeat(500)}def f(): pass\n`,
  'a long chain of conditions': `${'if (a) b(); else '.repeat(1_000)}c();\n`,
  'a row of assignments': `${'x = '.repeat(5_000)}1\n`,
  'a long string': `x = "${'a'.repeat(20_000)}"\n`,
  'a deep array': `const a = ${'['.repeat(5_000)}${']'.repeat(5_000)};\n`,
  'deep types': `type A = ${'Array<'.repeat(1_000)}B${'>'.repeat(1_000)};\n`,
  'keys of the prototype': '{"__proto__": {"constructor": 1}, "constructor": 2, "toString": null}\n',
  'tables of the prototype': '[__proto__.constructor]\nhasOwnProperty = 1\n[[__proto__.x]]\n',
  'many broken lines': '= 1\n'.repeat(150),
  'many keys': Array.from({ length: 1_000 }, (_, at) => `key_${at} = ${at}\n`).join(''),
  'names of the prototype':
    'const constructor = 1; class __proto__ { toString() {} hasOwnProperty() {} }\nfunction valueOf() { toString(); }\n',
};

/** Inputs for formats: as code each would be something else. */
const deepTexts: Record<string, string> = {
  'a deep object': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'a deep value': `a = ${'['.repeat(5_000)}1${']'.repeat(5_000)}\n`,
};

/** Of the formats of which only some files are read. */
const FILES: Record<string, string> = { json: 'package.json', toml: 'pyproject.toml', dotenv: '.env.example', sql: 'schema.sql', graphql: 'schema.graphql', protobuf: 'shop.proto', openapi: 'openapi.yaml' };

/** What only one language can be, by a file's name. */
const own: Record<string, [path: string, text: string]> = {
  'functions in functions': ['deep.go', `package p\nfunc f() { ${'func() { '.repeat(2_000)}g()${' }()'.repeat(2_000)} }\n`],
  'types in types': ['types.go', `package p\ntype T ${'struct { a '.repeat(1_000)}int${' }'.repeat(1_000)}\n`],
  'pointers to pointers': ['stars.go', `package p\nvar x ${'*'.repeat(5_000)}int = ${'&'.repeat(1_000)}y\n`],
  'literals in literals': ['literals.go', `package p\nvar x = T${'{T'.repeat(1_000)}${'}'.repeat(1_000)}\n`],
  'a literal of 5000 elements': ['table.go', `package p\nvar x = []T{${'{A: 1, B: f("x")}, '.repeat(5_000)}}\n`],
  'a sum of 12000': ['sum.go', `package p\nvar x = ${'a + '.repeat(12_000)}b\n`],
  'conditions in a chain': ['chain.go', `package p\nfunc f() { ${'if a := b(); a { } else '.repeat(1_500)}{ } }\n`],
  'a broken receiver': ['receiver.go', 'package p\nfunc ( ) Get() {}\nfunc (x) Get() {}\nfunc (*) Get() {}\nfunc (a, b T) Get() {}\n'],
  'broken types': ['broken.go', 'package p\ntype struct {}\ntype A struct { *\n}\ntype B interface { ~\n}\nvar = 1\nconst (\n=\n)\n'],
  'classes in classes': ['Deep.java', `${'class A { '.repeat(1_000)}void f() {}${' }'.repeat(1_000)}\n`],
  'anonymous classes in anonymous classes': [
    'Anonymous.java',
    `class A { Object a = ${'new B() { Object f() { return '.repeat(500)}null${'; } }'.repeat(500)}; }\n`,
  ],
  'lambdas in lambdas': ['Lambdas.java', `class A { F f = ${'x -> '.repeat(2_000)}x; }\n`],
  '2000 constants': ['Many.java', `enum E { ${'A(1) { int f() { return 1; } }, '.repeat(2_000)}B }\n`],
  'types in type arguments': ['Types.java', `class A { ${'B<'.repeat(1_000)}C${'>'.repeat(1_000)} b; }\n`],
  'annotations in annotations': ['Annotated.java', `${'@A('.repeat(1_000)}1${')'.repeat(1_000)} class B {}\n`],
  'a sum of 12000 texts': ['Sum.java', `class A { String a = ${'"a" + '.repeat(12_000)}b; }\n`],
  'modules in modules': ['modules.rs', `${'mod a { '.repeat(1_000)}fn f() { super::f() }${' }'.repeat(1_000)}\n`],
  'blocks in blocks': ['blocks.rs', `fn f() { ${'{ if a { '.repeat(700)}g()${' } }'.repeat(700)} }\n`],
  'tokens in tokens': ['tokens.rs', `m! ${'{ a(b, '.repeat(700)}c${') }'.repeat(700)}\n`],
  'patterns in patterns': ['patterns.rs', `fn f() { let ${'Some('.repeat(700)}a${')'.repeat(700)} = b; }\n`],
  'paths in paths': ['paths.rs', `use ${'a::{'.repeat(700)}b${'}'.repeat(700)};\nfn f() { ${'a::'.repeat(3_000)}b() }\n`],
  'a broken impl': ['impls.rs', 'impl for {}\nimpl<T> for T { fn }\nimpl !X for\ntrait { fn f( }\nenum { A( }\n'],
  'choices in choices': [
    'Choices.java',
    `class A { int f(int a) { return ${'switch (a) { case 1 -> '.repeat(500)}2${'; }'.repeat(500)}; } }\n`,
  ],
  'broken declarations': [
    'Broken.java',
    'package ;\nimport ;\nimport static a.;\nclass {}\nclass A extends { int ; void (); A(; }\nenum { , }\nrecord R( {}\n@ interface\n',
  ],
  'names of the prototype in Java': [
    'Prototype.java',
    'package constructor; import __proto__.toString; class __proto__ { int constructor; void valueOf() { constructor.hasOwnProperty(); toString(); } }\n',
  ],
  'names of the prototype': [
    'prototype.go',
    'package constructor\nimport toString "hasOwnProperty"\ntype __proto__ struct { constructor int }\nfunc (p __proto__) valueOf() { toString.constructor(p.constructor) }\n',
  ],
};

describe('one language', () => {
  for (const [name, [path, text]] of Object.entries(own))
    it(`extracts ${name} in ${path}`, () => {
      const first = factsOf(path, text);
      expect(first.definitions.filter(({ name: one }) => one === '')).toEqual([]);
    });
});

/** And what only a file with markup can be. */
const markup: Record<string, string> = {
  'a script that never ends': '<template><p>{{ a }}</p></template>\n<script setup>\nconst a = 1;\n',
  'markup that never ends': '<script>\nexport default {};\n</script>\n<template><a :b="c" @d=\'',
  'markup that closes what nothing opened': '<template></p></template></template><p>{{ a }}</script>\n',
  'markup whose pieces never close': '<template><p :a="(" :b="\'" :c="`${" :d="/*">{{ x( }} {{ y }}</p></template>\n',
  'nested markup': `<template>${'<template><div v-for="a in b">'.repeat(500)}{{ a }}\n`,
  '2000 scripts': '<script setup>f();</script>'.repeat(2000),
  'braces in markup': `<template>${'{{'.repeat(5000)}${'}}'.repeat(5000)}</template>`,
};

/** What a grammar reads again and again, so that it is given up and the file named: shell's looks for the end of here-documents, Kotlin's and Scala's try several ways. */
const GIVEN_UP: Readonly<Record<string, readonly string[]>> = {
  dart: ['closing brackets only', 'a long chain of calls', 'a long chain of conditions'],
  kotlin: ['3000 nested functions', 'a long chain of conditions', 'a row of assignments'],
  scala: [
    'a long chain of operators',
    'a long chain of calls',
    'a long chain of routes',
    'a long chain of what is no router',
    'a long chain of conditions',
    'a row of assignments',
    'a deep array',
    'deep types',
  ],
  lua: ['3000 nested functions', 'closing brackets only', 'a long chain of conditions', 'a row of assignments'],
  shell: ['a long chain of calls', 'a long chain of conditions'],
};

/**
 * What a grammar needs the square of its length for: a slow machine gives the file up, and names it. Or what is given up or not by
 * what was parsed before: Swift's scanner has a state that nothing sets when a file begins.
 */
const SLOW: Readonly<Record<string, readonly string[]>> = {
  ruby: ['many broken lines'],
  swift: [
    ...['3000 nested functions', 'closing brackets only', 'many decorators', 'a long chain of routes'],
    ...['a long chain of what is no router', 'a long chain of conditions', 'a long chain of calls'],
    'a long chain of operators',
  ],
};

/** The facts of a text; null where it is given up because of the time that it takes, or of how often the parser begins again. */
function factsUnlessGivenUp(path: string, text: string): FileFacts | null {
  try {
    return factsOf(path, text);
  } catch (error) {
    expect(String(error)).toMatch(/the parser took more than|begin again too often/);
    return null;
  }
}

for (const language of languages)
  describe(language.name, () => {
    const path = language.grammar === null ? FILES[language.name] : `nasty${language.extensions.at(-1)}`;
    if (path === undefined) throw new Error(`no file name for ${language.name}`);
    for (const [name, text] of Object.entries(language.grammar === null ? { ...inputs, ...deepTexts } : inputs))
      it(`extracts ${name}`, () => {
        if (GIVEN_UP[language.name]?.includes(name)) {
          expect(() => parser.extractFile(path, text)).toThrow('begin again too often');
          return;
        }
        const isSlow = SLOW[language.name]?.includes(name);
        const first = isSlow ? factsUnlessGivenUp(path, text) : factsOf(path, text);
        if (first === null) return;
        expect(first.keys.every(({ parent }, at) => parent === null || parent < at)).toBe(true);
        const count = first.definitions.length;
        for (const { parent, span } of first.definitions) {
          expect(parent === null || (parent >= 0 && parent < count)).toBe(true);
          expect(span.end_line).toBeLessThanOrEqual(Math.max(first.lines, 1));
        }
        for (const { expression, receiver } of first.references)
          expect(Math.max(expression.length, receiver?.length ?? 0)).toBeLessThanOrEqual(120);
        expect(first.definitions.filter(({ signature }) => signature.length > 300)).toEqual([]);
        const lost = first.references.filter(({ from }) => from !== null && !(from < count));
        expect(lost).toEqual([]);
      });
  });

it('finds the outer ones of 3000 nested functions, and leaves what is deeper than anybody writes', () => {
  const { definitions, references } = parser.extractFile('deep.ts', nested(3000));
  expect(definitions).toHaveLength(257);
  expect(definitions[256]?.parent).toBe(255);
  expect(references).toEqual([]);
  expect(parser.extractFile('deep.ts', nested(200)).references).toMatchObject([{ name: 'g', from: 199 }]);
});
