import { describe, expect, it } from 'vitest';
import { FUNCTIONS, unsupportedFunction } from '../../cypher/functions/index.js';
import { literalText } from '../../cypher/values/index.js';
import { aggregateOf, evaluated } from './evaluate.js';

const WITH_RESULT = [...FUNCTIONS.values()].flatMap(({ name, aggregate, example, gives }) =>
  gives === null ? [] : [{ name, aggregate, example, gives }],
);

describe('the functions of Cypher', () => {
  it.each(WITH_RESULT)('$name does as its example says', ({ aggregate, example, gives }) => {
    const value = aggregate ? aggregateOf(example, [1n, 2n, 2n, null]) : evaluated(example);
    expect(literalText(value)).toBe(gives);
  });

  it('are named once, and told in one line', () => {
    for (const [key, { name, doc, signature }] of FUNCTIONS) {
      expect(key).toBe(name.toLowerCase());
      expect(signature).toContain(`${name}(`);
      expect(doc).toMatch(/^[^\n]+\.$/u);
    }
  });

  it('ask chance and time of the run', () => {
    expect(evaluated('rand()')).toBe(0.25);
    expect(evaluated('timestamp()')).toBe(1_700_000_000_000n);
  });

  it('say why what other engines have is missing', () => {
    expect(unsupportedFunction('Duration.between')).not.toBeNull();
    expect(unsupportedFunction('apoc.text.join')).not.toBeNull();
    expect(unsupportedFunction('nosuch')).toBeNull();
  });

  it.each([
    ['substring', "substring('abc', 5)", "''"],
    ['left', "left('abc', 10)", "'abc'"],
    ['right', "right('abc', 2)", "'bc'"],
    ['split by many', "split('a,b;c', [',', ';'])", "['a', 'b', 'c']"],
    ['split into letters', "split('abc', '')", "['a', 'b', 'c']"],
    ['replace of nothing', "replace('abc', '', 'x')", "'abc'"],
    ['rtrim of letters', "rtrim('abcc', 'c')", "'ab'"],
    ['trim of all', "btrim('xxx', 'x')", "''"],
    ['reverse of text', "reverse('abc')", "'cba'"],
    ['reverse of null', 'reverse(null)', 'null'],
    ['range down', 'range(10, -10, -3)', '[10, 7, 4, 1, -2, -5, -8]'],
    ['range of the wrong way', 'range(0, 1, -1)', '[]'],
    ['range of one', 'range(0, 0, -1)', '[0]'],
    ['round half up', 'round(-1.5)', '-1.0'],
    ['round half away from zero', 'round(-1.55, 1)', '-1.6'],
    ['round half even', "round(2.5, 0, 'HALF_EVEN')", '2.0'],
    ['round half down', "round(2.5, 0, 'HALF_DOWN')", '2.0'],
    ['round up', "round(1.01, 1, 'UP')", '1.1'],
    ['round of a large number', 'round(1.0E20, 5)', '1.0E20'],
    ['round of an unclean half', 'round(1.005, 2)', '1.01'],
    ['ceil of an INTEGER', 'ceil(3)', '3.0'],
    ['abs of a FLOAT', 'abs(-1.5)', '1.5'],
    ['sqrt below zero', 'sqrt(-1)', 'NaN'],
    ['toInteger of an exponent', "toInteger('1e3')", '1000'],
    ['toInteger of a text that is no number', "toInteger('1 2')", 'null'],
    ['toInteger of a large text', "toIntegerOrNull('99999999999999999999')", 'null'],
    ['toFloat of text', "toFloat(' 1.5e3 ')", '1500.0'],
    ['toBoolean of other texts', "toBoolean('yes')", 'null'],
    ['coalesce of nulls', 'coalesce(null, null)', 'null'],
    ['keys of a map', 'keys({a: null})', "['a']"],
    ['properties of a map', 'properties({a: 1})', '{a: 1}'],
    ['labels of null', 'labels(null)', 'null'],
    ['size of a text', "size('abc')", '3'],
    ['isEmpty of null', 'isEmpty(null)', 'null'],
    ['head of nothing', 'head([])', 'null'],
    ['tail of one', 'tail([1])', '[]'],
    ['elementId', 'elementId(n)', "'1'"],
  ])('%s: %s is %s', (_, text, expected) => {
    expect(literalText(evaluated(text))).toBe(expected);
  });

  it.each([
    ["substring('abc', -1)", 'NumberOutOfRange'],
    ['toUpper(1)', 'InvalidArgumentType'],
    ['toBoolean(1.0)', 'InvalidArgumentValue'],
    ['toFloat(true)', 'InvalidArgumentValue'],
    ['toString([])', 'InvalidArgumentValue'],
    ['toInteger(1e30)', 'NumberOutOfRange'],
    ['labels(1)', 'InvalidArgumentValue'],
    ["type('a')", 'InvalidArgumentValue'],
    ['range(2, 8, 0)', 'NumberOutOfRange'],
    ['range(0.0, 1)', 'InvalidArgumentType'],
    ['range(1, 100000000)', 'ValueTooLarge'],
    ['size({})', 'InvalidArgumentValue'],
    ["round(1.5, 0, 'SIDEWAYS')", 'InvalidArgumentValue'],
  ])('%s fails with %s', (text, detail) => {
    expect(() => evaluated(text)).toThrow(
      expect.objectContaining({ code: 'CYPHER_RUNTIME', fault: expect.objectContaining({ detail }) }),
    );
  });
});

describe('aggregates', () => {
  it.each([
    ['count(x)', [], '0'],
    ['sum(x)', [], '0'],
    ['avg(x)', [], 'null'],
    ['min(x)', [null], 'null'],
    ['collect(x)', [null], '[]'],
    ['percentileDisc(x, 0.5)', [], 'null'],
    ['stDev(x)', [1n], '0.0'],
    ['sum(x)', [1n, 2, null], '3.0'],
    ['avg(x)', [1n, 2n], '1.5'],
    ['count(DISTINCT x)', [1n, 1, '1', null, null], '2'],
    ['collect(DISTINCT x)', ['a', 'b', 'a'], "['a', 'b']"],
    ['max(x)', [1n, 'a', null, [1n, 2n], 0.2, 'b'], '1'],
    ['min(x)', [1n, 'a', null, [1n, 2n], 0.2, 'b'], '[1, 2]'],
    ['percentileCont(x, 0.4)', [10n, 20n, 30n], '18.0'],
    ['percentileDisc(x, 0.4)', [30n, 10n, 20n], '20'],
    ['percentileDisc(x, 0.0)', [30n, 10n, 20n], '10'],
  ] as const)('%s over %s is %s', (text, rows, expected) => {
    expect(literalText(aggregateOf(text, rows))).toBe(expected);
  });

  it('refuse what is no number, and percentiles out of range', () => {
    expect(() => aggregateOf('sum(x)', ['a'])).toThrow('sum() takes numbers');
    expect(() => aggregateOf('percentileCont(x, 1.1)', [1n])).toThrow('from 0.0 to 1.0');
    expect(() => aggregateOf('sum(x)', [2n ** 63n - 1n, 1n])).toThrow('64-bit');
  });
});
