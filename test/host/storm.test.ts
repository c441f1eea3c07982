import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { faultsOf, passStorm, startTogether } from '../../bench/lib/storm/index.mjs';

/* Short ones; the long ones are in bench/storm.mjs. */

const LIBRARY = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-storm-')));
const silent = () => undefined;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a storm leaves every acknowledged event there once, as a serial replay has it', async () => {
  const figures = await passStorm(join(folder, 'storm'), LIBRARY, {
    events: 16,
    kills: 1,
    seed: 11,
    recorders: { sh: 4, node: 1 },
    servers: 2,
    workerFaultMs: 1500,
    tell: silent,
  });
  expect(faultsOf(figures), JSON.stringify(figures, null, 2)).toEqual([]);
}, 300_000);

it('servers and commands that start in one instant on a cold home share one daemon', async () => {
  const { faults } = await startTogether(join(folder, 'starts'), LIBRARY, { rounds: 1, tell: silent });
  expect(faults).toEqual([]);
}, 300_000);
