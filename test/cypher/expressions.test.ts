import { describe, expect, it } from 'vitest';
import { compile } from '../../cypher/expressions/index.js';
import { patternSize } from '../../cypher/expressions/regular-expression.js';
import type { CypherValue } from '../../cypher/index.js';
import { literalText } from '../../cypher/values/index.js';
import { evaluated, expressionOf, runWith, scopeOf } from './evaluate.js';

const NAMES: Readonly<Record<string, CypherValue>> = {
  nothing: null,
  truth: true,
  one: 1n,
  list: [1n, 2n, 3n, 4n, 5n],
  nulls: [34n, 0n, null, 8n],
  map: new Map<string, CypherValue>([
    ['a', 1n],
    ['b', null],
  ]),
  ada: 'Ada Lovelace',
};

describe('an expression', () => {
  it.each([
    // Three-valued logic
    ['nothing AND false', 'false'],
    ['nothing AND truth', 'null'],
    ['truth AND nothing', 'null'],
    ['false AND nothing', 'false'],
    ['nothing OR truth', 'true'],
    ['nothing OR false', 'null'],
    ['truth XOR nothing', 'null'],
    ['truth XOR false', 'true'],
    ['NOT nothing', 'null'],
    ['nothing IS NULL', 'true'],
    ['one IS NOT NULL', 'true'],
    // Comparison
    ['1 = 1.0', 'true'],
    ['one <> nothing', 'null'],
    ['1 < 2 < 3', 'true'],
    ['1 < 3 < 2', 'false'],
    ['1 < nothing < 2', 'null'],
    ['3 < 2 < nothing', 'false'],
    ['one = 1', 'true'],
    ["one = '1'", 'false'],
    ["one < '1'", 'null'],
    ["ada > 'A'", 'true'],
    ['0.0 / 0.0 <> 0.0 / 0.0', 'true'],
    ['n = n', 'true'],
    ['n = m', 'false'],
    ['n = r', 'false'],
    ['p = p', 'true'],
    ['[n] = [m]', 'false'],
    // Membership
    ['3 IN list', 'true'],
    ['7 IN nulls', 'null'],
    ['nothing IN []', 'false'],
    ['nothing IN list', 'null'],
    ['one IN nothing', 'null'],
    ['5 IN [1, 2, 3, 4, 5.0, 6, 7, 8, 9]', 'true'],
    ["'x' IN [1, 2, 3, 4, 5.0, 6, 7, 8, 9]", 'false'],
    ['nothing IN [1, 2, 3, 4, 5.0, 6, 7, 8, 9]', 'null'],
    ['[1] IN [1, 2, 3, 4, 5.0, 6, 7, 8, [1]]', 'true'],
    ['0.0 / 0.0 IN [1, 2, 3, 4, 5.0, 6, 7, 8, 0.0 / 0.0]', 'false'],
    // Texts
    ["ada STARTS WITH 'Ada'", 'true'],
    ["ada ENDS WITH 'lace'", 'true'],
    ["ada CONTAINS 'x'", 'false'],
    ["one CONTAINS 'x'", 'null'],
    ['ada STARTS WITH nothing', 'null'],
    // Elements, maps, places
    ['n.name', "'Ada'"],
    ['n.missing', 'null'],
    ['nothing.name', 'null'],
    ['map.a', '1'],
    ["n['na' + 'me']", "'Ada'"],
    ["map['b']", 'null'],
    ['list[0]', '1'],
    ['list[-1]', '5'],
    ['list[10]', 'null'],
    ['list[nothing]', 'null'],
    ['list[1..3]', '[2, 3]'],
    ['list[-2..]', '[4, 5]'],
    ['list[..-3]', '[1, 2]'],
    ['list[3..1]', '[]'],
    ['list[nothing..2]', 'null'],
    ['n:Person', 'true'],
    ['n:Person:Robot', 'false'],
    ['r:KNOWS', 'true'],
    ['nothing:Person', 'null'],
    // Arithmetic
    ['7 / 2', '3'],
    ['7 / 2.0', '3.5'],
    ['-7 % 3', '-1'],
    ['2 ^ 3', '8.0'],
    ['-(-3)', '3'],
    ["'a' + 1 + 2.0", "'a12.0'"],
    ['[1] + 2 + [3]', '[1, 2, 3]'],
    ['1 + nothing', 'null'],
    ['7 / -2', '-3'],
    ['1.0 / 0', 'Infinity'],
    ['1 - nothing', 'null'],
    ["1.0 + 'a'", "'1.0a'"],
    ['0 + [1]', '[0, 1]'],
    ['[1] + nothing', 'null'],
    // CASE
    ["CASE one WHEN 1.0 THEN 'one' ELSE 'other' END", "'one'"],
    ["CASE nothing WHEN null THEN 'null' ELSE 'other' END", "'other'"],
    ["CASE WHEN nothing THEN 'a' WHEN truth THEN 'b' END", "'b'"],
    ["CASE WHEN false THEN 'a' END", 'null'],
    ['CASE WHEN truth THEN 1 ELSE 1 / 0 END', '1'],
    // Lists
    ['[x IN list WHERE x % 2 = 1 | x * 10]', '[10, 30, 50]'],
    ['[x IN list]', '[1, 2, 3, 4, 5]'],
    ['[x IN nulls WHERE x > 5]', '[34, 8]'],
    ['[x IN nothing | x]', 'null'],
    ['[x IN [1, 2] | [y IN [3, 4] | x * y]]', '[[3, 4], [6, 8]]'],
    ['[x IN [1, 2] | [x IN [x] | x + 1]]', '[[2], [3]]'],
    ['reduce(total = 0, x IN list | total + x)', '15'],
    ["reduce(text = '', x IN ['a', 'b'] | text + x)", "'ab'"],
    ['reduce(total = 0, x IN nothing | total + x)', 'null'],
    ['reduce(total = 0, x IN nulls | total + x)', 'null'],
    ['reduce(all = [], x IN [1, 2] | all + reduce(t = 0, y IN [x, x] | t + y))', '[2, 4]'],
    // Maps
    ['{a: 1, b: [one]}', '{a: 1, b: [1]}'],
    ['n {.name, .missing, age: 36, one}', "{name: 'Ada', missing: null, age: 36, one: 1}"],
    ["n {.*, name: 'A'}", "{name: 'A', born: 1815}"],
    ['map {.a}', '{a: 1}'],
    ['map {.*}', '{a: 1, b: null}'],
    ['r {.since, to: endNode(r).name}', "{since: 1833, to: 'Charles'}"],
    ['nothing {.name}', 'null'],
  ])('%s is %s', (text, expected) => {
    expect(literalText(evaluated(text, NAMES))).toBe(expected);
  });

  it.each([
    ["all(x IN [] WHERE x = 'a')", 'true'],
    ['all(x IN list WHERE x > 0)', 'true'],
    ['all(x IN nulls WHERE x >= 0)', 'null'],
    ['all(x IN nulls WHERE x > 0)', 'false'],
    ['any(x IN nulls WHERE x > 30)', 'true'],
    ['any(x IN nulls WHERE x > 50)', 'null'],
    ['any(x IN [] WHERE x)', 'false'],
    ['none(x IN nulls WHERE x > 30)', 'false'],
    ['none(x IN nulls WHERE x > 50)', 'null'],
    ['none(x IN list WHERE x > 50)', 'true'],
    ['single(x IN list WHERE x = 3)', 'true'],
    ['single(x IN list WHERE x > 3)', 'false'],
    ['single(x IN nulls WHERE x > 30)', 'null'],
    ['single(x IN nulls WHERE x >= 0)', 'false'],
    ['single(x IN [null] WHERE x IS NULL)', 'true'],
    ['any(x IN nothing WHERE x)', 'null'],
    ['all(x IN [[1, 2], [3]] WHERE any(y IN x WHERE y > 1))', 'true'],
  ])('with a quantifier: %s is %s', (text, expected) => {
    expect(literalText(evaluated(text, NAMES))).toBe(expected);
  });

  it.each([
    ["ada =~ 'Ada.*'", 'true'],
    ["ada =~ 'Ada'", 'false'],
    ["ada =~ '(?i)ada l[a-z]+'", 'true'],
    ["ada =~ '\\\\w+ \\\\w+'", 'true'],
    ["ada =~ 'Love|Ada Lovelace'", 'true'],
    ["'a\\nb' =~ 'a.b'", 'false'],
    ["'a\\nb' =~ '(?s)a.b'", 'true'],
    ["'' =~ ''", 'true'],
    ["one =~ '1'", 'null'],
    ['ada =~ nothing', 'null'],
    ["'Ünïcode' =~ '\\\\p{Lu}\\\\p{L}+'", 'true'],
  ])('with a pattern: %s is %s', (text, expected) => {
    expect(literalText(evaluated(text, NAMES))).toBe(expected);
  });

  it('matches patterns that are made to be slow in linear time', () => {
    expect(evaluated("$text =~ '(a+)+b'", {}, { text: 'a'.repeat(5_000) })).toBe(false);
  });

  it.each([
    ['abc', 3],
    ['(ab){3}c{2}', 11],
    ['((a{10}){10}){10}', 1110],
    ['[a-f0-9]{8}(-[a-f0-9]{4}){3}', 8 + 18],
    ['a{,3}', 5],
    ['\\{9}[{9}]\\Q{9}\\E', 11],
    ['(((', 0],
  ])('knows how large the pattern %s gets: %i', (pattern, size) => {
    expect(patternSize(pattern)).toBe(size);
  });

  it('refuses patterns that would take too long', () => {
    const text = 'a'.repeat(100_000);
    expect(() => evaluated("'a' =~ '(a{0,30}){0,100}'")).toThrow('too large');
    expect(() => evaluated("$text =~ '(a{0,100}|b)*c'", {}, { text })).toThrow('too large for a text');
  });

  it.each([
    ['1 + true', 'InvalidArgumentType'],
    ['one AND truth', 'InvalidArgumentType'],
    ['NOT one', 'InvalidArgumentType'],
    ['1 IN one', 'InvalidArgumentType'],
    ['one.name', 'InvalidArgumentType'],
    ['list.name', 'InvalidArgumentType'],
    ["list['a']", 'InvalidArgumentType'],
    ['list[1.5]', 'InvalidArgumentType'],
    ['ada[0]', 'InvalidArgumentType'],
    ['map[1]', 'MapElementAccessByNonString'],
    ['[x IN one | x]', 'InvalidArgumentType'],
    ['[x IN list WHERE x]', 'InvalidArgumentType'],
    ['any(x IN list WHERE x)', 'InvalidArgumentType'],
    ['reduce(t = 0, x IN one | t)', 'InvalidArgumentType'],
    ["ada =~ '('", 'InvalidArgumentValue'],
    ["ada =~ '(?=a)b'", 'InvalidArgumentValue'],
    ['ada =~ 1', 'InvalidArgumentType'],
    ['one / 0', 'DivisionByZero'],
    ['one % 0', 'DivisionByZero'],
    ['9223372036854775807 * 2', 'NumberOutOfRange'],
    ['-(-9223372036854775807 - one)', 'NumberOutOfRange'],
    ["'a' * 2", 'InvalidArgumentType'],
    ['9223372036854775807 + one', 'NumberOutOfRange'],
    ['one {.name}', 'InvalidArgumentType'],
    ['one:Person', 'InvalidArgumentType'],
    ['list[one..ada]', 'InvalidArgumentType'],
    ["reduce(t = 'ab', x IN range(1, 40) | t + t)", 'ValueTooLarge'],
    ['reduce(t = [1], x IN range(1, 40) | t + t)', 'ValueTooLarge'],
  ])('%s fails with %s, and says where', (text, detail) => {
    expect(() => evaluated(text, NAMES)).toThrow(
      expect.objectContaining({
        code: 'CYPHER_RUNTIME',
        fault: expect.objectContaining({ detail, phase: 'runtime' }),
        span: expect.objectContaining({ start: expect.any(Number) }),
      }),
    );
  });

  it('fails only when it is asked, also where all is known before', () => {
    const evaluate = compile(expressionOf('1 / 0'), scopeOf([]));
    expect(() => evaluate([], runWith())).toThrow('divided by zero');
  });

  it('names a parameter that is missing, and those that were given', () => {
    expect(evaluated('$name + 1', {}, { name: 1n })).toBe(2n);
    expect(() => evaluated('$other', {}, { name: 1n })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('$other'),
        suggestion: 'Given: $name.',
        fault: { kind: 'ParameterMissing', phase: 'runtime', detail: 'MissingParameter' },
      }),
    );
  });

  it('looks a long list up as one set, row after row, as it would walk it', () => {
    const evaluate = compile(expressionOf('x IN $list'), scopeOf(['x']));
    const ask = (list: CypherValue) => {
      const run = runWith({ list });
      return [1n, 2, 'c', null, [1n], 99n].map((x) => evaluate([x], run));
    };
    const plain = [1n, 2n, 'c', 4n, 5n, 6n, 7n, 8n, 9n];
    expect(ask(plain)).toEqual([true, true, true, null, false, false]);
    expect(ask([...plain, null])).toEqual([true, true, true, null, null, null]);
    expect(ask([...plain, [1n]])).toEqual([true, true, true, null, true, false]);
  });

  it('tells the run how far it goes, and how much it makes', () => {
    let [items, bytes] = [0, 0];
    const run = { ...runWith(), spend: (n: number) => (items += n), hold: (n: number) => (bytes += n) };
    compile(expressionOf('[x IN range(1, 1000) | x]'), scopeOf([]))([], run);
    expect(items).toBe(2000);
    expect(bytes).toBeGreaterThan(8_000);
  });
});
