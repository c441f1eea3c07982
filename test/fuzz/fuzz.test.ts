import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { faultOf, type Json, minimised } from './lib.js';
import { TARGETS } from './targets/index.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CRASHES = join(ROOT, 'test/fuzz/crashes');

it.each(readdirSync(CRASHES))('%s: nothing breaks an invariant that broke one once', async (name) => {
  const target = TARGETS.find((one) => one.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), `codewalk-fuzz-${name}-`)));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const trial = await target.open({ scratch, root: ROOT, dist: join(ROOT, 'dist') });
  onTestFinished(() => trial.close?.());
  const found: object[] = [];
  for (const file of readdirSync(join(CRASHES, name))) {
    const { inputs }: { inputs: Json[] } = JSON.parse(readFileSync(join(CRASHES, name, file), 'utf8'));
    for (const input of inputs) {
      const fault = await faultOf(trial, input);
      if (fault) found.push({ file, ...fault });
    }
  }
  expect(found).toEqual([]);
});

it('makes lists, objects and texts smaller, as long as what is left fails', async () => {
  const input = { keep: ['x', 'a needle in hay', 'y'], more: { deep: [1, 2] }, other: 'text' };
  const fails = async (one: unknown) => JSON.stringify(one).includes('needle');
  expect(await minimised(input, fails, Number.POSITIVE_INFINITY)).toEqual({ keep: ['needle'] });
});
