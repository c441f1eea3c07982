import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as codewalk from '../../index.js';
import { caseRunner } from './osp-case.mjs';

/** The recorded cases of the object-spatial semantics: what a real Jac runtime did. */
interface Recorded {
  readonly id: string;
  readonly title: string;
  readonly expect: { readonly deferred?: Record<string, unknown> };
}

const { cases } = JSON.parse(readFileSync(new URL('./cases.json', import.meta.url), 'utf8')) as {
  cases: Recorded[];
};

const engines = {
  memory: (options: codewalk.OpenOptions) => codewalk.openGraph(':memory:', { ...options, bare: true }),
  level: (options: codewalk.OpenOptions) => openOnDisk(options),
};

for (const [engine, open] of Object.entries(engines)) {
  describe(`object-spatial cases on ${engine}`, () => {
    const run = caseRunner(codewalk, open);
    for (const recorded of cases) {
      const want = recorded.expect.deferred;
      // On disk are all of them; what differs in memory is little, and test/runtime runs on both.
      if (!want || (engine === 'memory' && /^(?:random|deep)-/u.test(recorded.id))) continue;
      test(`${recorded.id}: ${recorded.title}`, async () => {
        const { walkerReports: _, ...expected } = want;
        expect(JSON.parse(JSON.stringify(await run(structuredClone(recorded))))).toEqual(expected);
      });
    }
  });
}

async function openOnDisk(options: codewalk.OpenOptions): Promise<codewalk.OpenGraph> {
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-case-'));
  const graph = await codewalk.openGraph(folder, { ...options, home: join(folder, 'graphs'), bare: true });
  const close = async () => {
    await graph.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...graph, close };
}
