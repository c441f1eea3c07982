import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomEdit } from '../../bench/lib/random-edits.mjs';
import { GraphUpdateFiles } from '../../walkers/code/graph-update-files.js';
import { freshWholeText, wholeText } from './indexed-texts.js';
import { index, open, scratch, write } from './project.js';

/** Two languages, packages, barrels, inheritance, values that pass through files, components, routes: all that leads from file to file. */
const PROJECT = {
  'package.json': '{"name": "shop"}',
  'pyproject.toml': '[project]\nname = "shop"\n',
  'src/index.ts': "export * from './cart';\nexport { price as cost } from './price';\n",
  'src/cart.ts':
    "import { price } from './price';\nimport { Base } from './base';\nexport class Cart extends Base {\n  total() {\n    return price(1) + this.rate();\n  }\n}\n",
  'src/base.ts':
    "import { late } from './late';\nexport class Base {\n  rate() {\n    return late();\n  }\n}\n",
  'src/price.ts': 'export function price(n: number) {\n  return n;\n}\nexport const VAT = 19;\n',
  'src/use.ts':
    "import { Cart, cost } from './index';\nexport function use() {\n  const cart = new Cart();\n  return cart.total() + cost(2);\n}\n",
  'src/card.tsx':
    "import { memo } from 'react';\nimport { price } from './price';\nexport function Card() {\n  return <b>{price(1)}</b>;\n}\nexport const Kept = memo(Card);\n",
  'src/list.vue':
    '<script setup>\nimport { Kept } from "./card";\nimport { use } from "./use";\n</script>\n<template><Kept @click="use()" /></template>\n',
  'src/routes.tsx':
    "import express from 'express';\nimport { Kept } from './card';\nimport List from './list.vue';\nimport { use } from './use';\nconst app = express();\napp.get('/use', use);\nexport const Page = () => <Kept of={List} />;\n",
  'shop/__init__.py': 'from .money import *\nfrom .report import report\n',
  'shop/money.py':
    'class Money:\n    def show(self):\n        return "1"\n\n    def ask(self, what):\n        return getattr(self, f"show_{what}")()\n\n\ndef make():\n    return Money()\n',
  'shop/report.py':
    'from .money import make\nfrom .late import later\n\n\ndef report():\n    return make().show() + later()\n',
  'tools/run.py':
    'from shop import Money, report\n\n\nclass Gold(Money):\n    def show(self):\n        return report()\n\n    def show_all(self):\n        return self.ask("all")\n',
  'tests/test_run.py': 'from tools.run import Gold\n\n\ndef test_gold():\n    assert Gold().show()\n',
};
const EDITS = 24;
const COMPARED = 6;

for (const seed of [3, 11])
  test(`random edits leave what a first index would, with seed ${seed}`, async () => {
    const root = write(PROJECT);
    const home = scratch();
    let graph = await open(root, home);
    await index(graph);
    const files = new Map(Object.entries(PROJECT));
    const gone = new Map<string, string>();
    const random = randomFrom(seed);
    const done: string[] = [];
    for (let step = 1; step <= EDITS; step++) {
      const { what, changes } = randomEdit(files, gone, random, step);
      done.push(`${what} ${[...changes.keys()].join(' ')}`);
      for (const [path, text] of changes) {
        if (text !== null) write({ [path]: text }, root);
        else rmSync(join(root, path), { force: true });
        if (text !== null) files.set(path, text);
        else {
          gone.set(path, files.get(path) ?? '');
          files.delete(path);
        }
      }
      // As another process would: nothing of the session is left.
      if (step % 8 === 0) {
        await graph.close();
        graph = await open(root, home);
      }
      await graph.spawn(GraphUpdateFiles, null, { paths: [...changes.keys()] });
      if (step % COMPARED !== 0) continue;
      expect(await wholeText(graph), done.join('\n')).toBe(await freshWholeText(Object.fromEntries(files)));
    }
  });

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
