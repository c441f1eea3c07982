import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { Crash, Finding, Tally } from './driver.js';
import { minimised } from './minimise.js';
import { Random, seedOf } from './random.js';

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));

interface Told {
  readonly tried?: number;
  readonly targets?: readonly Tally[];
  readonly findings: readonly Finding[];
}

/** Runs the fuzzer; answers its exit code and what it told. */
function fuzz(...args: string[]): Promise<Told & { readonly code: number }> {
  return new Promise((done) =>
    execFile(process.execPath, [RUN, '--json', ...args], { maxBuffer: 2 ** 26 }, (error, stdout) =>
      done({ ...(JSON.parse(stdout) as Told), code: error === null ? 0 : Number(error.code) }),
    ),
  );
}

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-crashes-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it('finds nothing where something was found once', async () => {
  const { code, tried, findings } = await fuzz('--replay');
  expect(findings).toEqual([]);
  expect(tried).toBeGreaterThan(5);
  expect(code).toBe(0);
}, 180_000);

it('tells what is wrong on purpose apart, makes it small, keeps it, and finds it again', async () => {
  const crashes = folder();
  const planted = '--only planted --inputs 6 --seed 2655 --longest 0.1'.split(' ');
  expect((await fuzz(...planted, '--crashes', crashes)).code).toBe(1);
  const kept = readdirSync(join(crashes, 'planted')).map(
    (name): Crash => JSON.parse(readFileSync(join(crashes, 'planted', name), 'utf8')),
  );
  const words: Readonly<Record<string, string>> = {
    'no-crash': 'hh',
    'no-hang': 'bad',
    'no-signal': 'dad',
    unhandledRejection: 'fad',
  };
  const names = (found: readonly { invariant: string }[]) => found.map(({ invariant }) => invariant).sort();
  expect(names(kept)).toEqual(Object.keys(words).sort());
  for (const { invariant, inputs } of kept) {
    const [text] = inputs;
    expect(text).toContain(words[invariant]);
    // On a busy machine there is time for a part of the way.
    expect(String(text).length).toBeLessThan(20);
  }
  const again = await fuzz('--replay', '--longest', '0.1', '--crashes', crashes);
  expect(again).toMatchObject({ code: 1, tried: 4 });
  expect(names(again.findings)).toEqual(names(kept));
}, 300_000);

it('makes the same choices for the same seed', () => {
  const of = (seed: number) => {
    const random = new Random(seed);
    return random.times(50, () => [
      random.below(1000),
      random.oneOf(['a', 'b']),
      random.partOf('abcdefgh', 4),
    ]);
  };
  expect(of(7)).toEqual(of(7));
  expect(of(7)).not.toEqual(of(8));
  expect(seedOf(1, 'masker', 2)).not.toBe(seedOf(1, 'masker', 3));
});

it('makes lists, objects and texts smaller, as long as what is left fails', async () => {
  const input = { keep: ['x', 'a needle in hay', 'y'], more: { deep: [1, 2] }, other: 'text' };
  const fails = async (one: unknown) => JSON.stringify(one).includes('needle');
  expect(await minimised(input, fails, performance.now() + 10_000)).toEqual({ keep: ['needle'] });
});
