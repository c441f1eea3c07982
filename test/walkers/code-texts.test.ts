import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomEdit } from '../../bench/lib/random-edits.mjs';
import { CODE_TEXT } from '../../graphs/code/documents.js';
import { defineWalker, type OpenGraph, Root } from '../../index.js';
import { writeIndex } from '../../search/index.js';
import { GraphUpdateFiles } from '../../walkers/code/graph-update-files.js';
import { ProjectChanges, ProjectTexts } from '../../walkers/code/project-jobs.js';
import { randomFrom } from '../storage/scratch.js';
import { answersOf, foundBy, freshAnswers, textsOf } from './indexed-texts.js';
import { index, indexed, open, scratch, write } from './project.js';

const AUTH = [
  '/** Who may come in. */',
  'export class AuthService {',
  '  // Counts from one.',
  '  private attempts = 1;',
  '  /** Checks the password. */',
  '  async loginUser(name: string): Promise<Token> {',
  '    const session = await openSession(name);',
  '    const retry = () => this.attempts + 1;',
  '    return session.token(retry);',
  '  }',
  '}',
  'startServer();',
  '',
].join('\n');

const PROJECT = {
  'package.json': '{"name": "shop"}',
  'README.md': '# The shop\n\nWhere baskets are paid.\n',
  'src/cart.ts':
    "import { price } from './price';\nexport class Cart {\n  /** All of it. */\n  total() {\n    return price(1);\n  }\n}\n",
  'src/price.ts':
    'export function price(net: number) {\n  const gross = net * 1.2;\n  return gross;\n}\nexport const VAT = 19;\n',
  'shop/money.py':
    '"""Of money."""\n\n\nclass Money:\n    def show(self):\n        """Shows it."""\n        return "1"\n',
  'test/cart.test.ts':
    "import { Cart } from '../src/cart';\ndescribe('Cart', () => {\n  it('adds up', () => {\n    expect(new Cart().total()).toBe(1);\n  });\n});\n",
};

describe('the text index of the code', () => {
  it('has a document for each file and symbol, and every word in one field', async () => {
    const { graph } = await indexed({ 'src/auth.ts': AUTH });
    const texts = await textsOf(graph);
    const path = 'auth src ts';
    const owner = 'auth authservice servic';
    expect(texts).toEqual({
      'file:src/auth.ts': { name: 'auth ts', path, parts: owner, body: 'server start startserver' },
      'cls:src/auth.ts:AuthService': {
        name: owner,
        path,
        signature: 'class',
        doc: 'come',
        parts: 'attempt login loginuser user',
        body: 'count export one',
      },
      'var:src/auth.ts:AuthService.attempts': { name: 'attempt', owner, path, signature: 'privat' },
      'm:src/auth.ts:AuthService.loginUser': {
        name: 'login loginuser user',
        owner,
        path,
        signature: 'async name promis str token',
        doc: 'check password',
        parts: 'retry',
        body: 'await const name open opensession retry return session*3 token',
      },
      'fn:src/auth.ts:AuthService.loginUser.retry': {
        name: 'retry',
        owner: 'auth authservice login loginuser servic user',
        path,
        signature: 'const',
        body: 'attempt',
      },
    });
  });

  it('holds what stands in files that are not extracted, but for data, and no secrets', async () => {
    const { graph } = await indexed({
      'docs/guide.md': '# Refunds\n\nHow customers are repaid.\n',
      'yarn.lock': 'lockedpackage@^1.0.0:\n',
      'data.txt': `giraffe ${'x '.repeat(140_000)}`,
      'app.min.js': `var zebra=1;${'a(1);'.repeat(8000)}`,
      'src/keys.ts': 'export const password = "correcthorse9";\nexport const plain = "elephant";\n',
      'src/broken.md': 'token: ghp_abcdefghijklmnopqrstuvwxyz0123456789 seen\n',
    });
    const found = async (word: string) => (await foundBy(graph, [word])).map((row) => row.split(' ')[0]);
    expect(await found('refund')).toEqual(['file:docs/guide.md']);
    expect(await found('guid')).toEqual(['file:docs/guide.md']);
    expect(await found('elephant')).toEqual(['var:src/keys.ts:plain']);
    expect(await found('seen')).toEqual(['file:src/broken.md']);
    for (const word of ['lockedpackage', 'giraff', 'zebra', 'correcthorse9', 'correcthors', 'ghp'])
      expect(await found(word), word).toEqual([]);
    for (const path of ['yarn.lock', 'data.txt', 'app.min.js'])
      expect(Object.keys(await textsOf(graph))).toContain(`file:${path}`);
  });

  it('answers after any edits what one answers that was made of these files at once', async () => {
    const root = write(PROJECT);
    const home = scratch();
    let graph = await open(root, home);
    await index(graph);
    const files = new Map<string, string>(Object.entries(PROJECT));
    const gone = new Map<string, string>();
    const random = randomFrom(5);
    for (let step = 1; step <= 12; step++) {
      const { changes } = randomEdit(files, gone, random, step);
      for (const [path, text] of changes) {
        if (text !== null) write({ [path]: text }, root);
        else rmSync(join(root, path), { force: true });
        if (text !== null) files.set(path, text);
        else {
          gone.set(path, files.get(path) ?? '');
          files.delete(path);
        }
      }
      if (step % 2 === 0) await graph.spawn(GraphUpdateFiles, null, { paths: [...changes.keys()] });
      else await index(graph, { mode: 'incremental' });
      if (step !== 6 && step !== 12) continue;
      expect(await answersOf(graph)).toEqual(await freshAnswers(Object.fromEntries(files)));
      await graph.close();
      graph = await open(root, home);
    }
  });

  it('holds nothing of files that are gone or have another name', async () => {
    const { root, graph } = await indexed(PROJECT);
    renameSync(join(root, 'src/price.ts'), join(root, 'src/cost.ts'));
    rmSync(join(root, 'README.md'));
    await index(graph, { mode: 'incremental' });
    const ids = Object.keys(await textsOf(graph));
    expect(ids.filter((id) => id.includes('price.ts') || id.includes('README'))).toEqual([]);
    expect(ids).toContain('fn:src/cost.ts:price');
    expect(await foundBy(graph, ['basket'])).toEqual([]);
  });

  it('is not written by a run that finds the same, nor for files whose names only lead elsewhere', async () => {
    const { root, graph } = await indexed(PROJECT);
    const before = await stored(graph);
    await index(graph, { mode: 'full' });
    expect(await stored(graph)).toEqual(before);
    write({ 'src/price.ts': PROJECT['src/price.ts'].replace('VAT', 'RATE') }, root);
    const { files_resolved } = (await graph.spawn(GraphUpdateFiles, null, { paths: ['src/price.ts'] }))
      .output;
    expect(files_resolved).toBeGreaterThan(1);
    const after = await stored(graph);
    const changed = [...after].filter(([name, bytes]) => before.get(name) !== bytes).map(([name]) => name);
    expect(changed.filter((name) => /\/[nd]\//.test(name)).length).toBeLessThanOrEqual(4);
  });

  it('is made anew from what is indexed, and answers the same', async () => {
    const { root, graph } = await indexed(PROJECT);
    const before = await answersOf(graph);
    await graph.spawn(ProjectTexts);
    expect(await answersOf(graph)).toEqual(before);
    write({ 'README.md': '# Changed meanwhile\n' }, root);
    await graph.spawn(ProjectTexts);
    expect((await foundBy(graph, ['meanwhil'])).length).toBe(1);
  });

  it.each([
    ['has none', undefined],
    ['has one of other words', { index: 'code-0', words: 0 }],
  ])('comes to a store that %s with the next run, which a question begins', async (_, mark) => {
    const root = write(PROJECT);
    const home = scratch();
    const earlier = await open(root, home);
    await index(earlier);
    const before = await answersOf(earlier);
    const Earlier = defineWalker('earlier', {
      access: 'steps',
      on: (w) => [
        w.entry(Root, async (_here, context) => {
          await writeIndex(context, CODE_TEXT).clear();
          context.putBlob('text/code-1/t/word', Buffer.from('x'));
          context.putBlob('texts', mark && Buffer.from(JSON.stringify(mark)));
        }),
      ],
    });
    await earlier.spawn(Earlier);
    await earlier.close();
    const graph = await open(root, home);
    // What is not complete is indexed before a question is answered.
    expect((await graph.spawn(ProjectChanges)).output).toMatchObject({ indexed: true, complete: false });
    const { why } = (await graph.spawn(GraphUpdateFiles, null, { paths: ['README.md'] })).output;
    expect(why).toMatch(/What the files say was not indexed/);
    expect(await answersOf(graph)).toEqual(before);
    expect([...(await stored(graph)).keys()].filter((name) => name.startsWith('text/code-1/'))).toEqual([]);
    expect((await graph.spawn(ProjectChanges)).output).toMatchObject({ complete: true });
  });
});

/** The bytes of the index, by name. */
async function stored(graph: OpenGraph): Promise<Map<string, string>> {
  const bytes = new Map<string, string>();
  await graph.read(async (tx) => {
    for await (const page of tx.blobsUnder('text/', 'derived'))
      for (const { name, value } of page) bytes.set(name, Buffer.from(value).toString('hex'));
  });
  return bytes;
}
