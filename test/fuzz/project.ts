import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A small project of each language, whose parts call each other. */
const FILES = {
  'package.json': '{"name": "shop", "scripts": {"test": "vitest"}}\n',
  'src/money.ts':
    "import { round } from './round';\n/** Adds a tax. */\nexport function tax(price: number): number {\n  return round(price * 0.2);\n}\nexport interface Priced { price: number }\nexport class Basket implements Priced {\n  price = 0;\n  add(item: Priced) { this.price += item.price + tax(item.price); }\n}\nexport class Gift extends Basket { add(item: Priced) { super.add(item); } }\n",
  'src/round.ts':
    "import { tax } from './money';\nexport const round = (n: number) => Math.round(n);\nexport const both = () => tax(1);\n",
  'src/money.test.ts':
    "import { it } from 'vitest';\nimport { tax } from './money';\nit('adds tax', () => { tax(10); });\n",
  'app/Cart.vue':
    '<script setup lang="ts">\nimport { tax } from \'../src/money\';\nconst total = tax(3);\n</script>\n<template><p>{{ total }}</p></template>\n',
  'py/shop.py':
    'from typing import Protocol\n\nclass Priced(Protocol):\n    price: float\n\nclass Item:\n    def total(self):\n        return helper(self.price)\n\ndef helper(x):\n    # TODO: round\n    return x * 2\n',
  'py/test_shop.py': 'from shop import helper\n\ndef test_helper():\n    assert helper(1) == 2\n',
};

/** What tools may be asked about in {@link writeProject}'s project, once it is indexed. */
export const NAMES: readonly string[] = [
  ...Object.keys(FILES),
  ...'tax round both Basket Basket.add Gift Priced helper Item.total shop money'.split(' '),
  ...['fn:src/money.ts:tax', 'cls:src/money.ts:Basket', 'file:src/money.ts', 'src/money.ts:3', 'dir:src'],
  ...['mem_one', 'mem_two', 'task-1', 'step-1', 'tool-1', 'session-1', 'TypeError: price is undefined'],
];

export function writeProject(root: string): string {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, '.git'), { recursive: true });
  return root;
}
