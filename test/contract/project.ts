/** The project that the contract's calls are made on: a file that calls another, and its test. */
export const PROJECT: Readonly<Record<string, string>> = {
  'package.json': ['{', '  "name": "shop",', '  "private": true', '}', ''].join('\n'),
  'src/money.ts': [
    '/** The part of the state. */',
    'export function tax(price: number): number {',
    '  return price * 0.2;',
    '}',
    '',
  ].join('\n'),
  'src/shop.ts': [
    "import { tax } from './money.js';",
    '',
    '/** What somebody buys. */',
    'export class Basket {',
    '  // TODO: give a discount from three items on',
    '  total(price: number): number {',
    '    return price + tax(price);',
    '  }',
    '}',
    '',
  ].join('\n'),
  'test/shop.test.ts': [
    "import { expect, test } from 'vitest';",
    "import { Basket } from '../src/shop.js';",
    '',
    "test('adds the tax', () => {",
    '  expect(new Basket().total(10)).toBe(12);',
    '});',
    '',
  ].join('\n'),
};
