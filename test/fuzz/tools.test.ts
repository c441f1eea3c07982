import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LocalHost } from '../../host/index.js';
import type { CodewalkError } from '../../schema/index.js';
import { Random } from './lib.js';
import { writeProject } from './project.js';
import { argumentsBy } from './targets/server.js';

/* `npm run fuzz -- --only tools` does this for as long as it is told to, through a server. */

const DIST = new URL('../../dist/', import.meta.url);
const TOOLS = JSON.parse(readFileSync(new URL('tools.json', DIST), 'utf8')) as {
  readonly name: string;
  readonly inputSchema: Parameters<typeof argumentsBy>[1]['inputSchema'];
}[];

it('tools that are called with anything at all, some of them taken back, leave no request behind', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-tools-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = writeProject(join(folder, 'shop'));
  const script = new URL('graph.worker.js', DIST);
  await using host = new LocalHost({ home: join(folder, 'graphs'), script, hasSides: true });
  await host.spawn({ walker: 'graph_index_project', root, input: {} });
  const random = new Random(26);
  const codes: string[] = [];
  for (let round = 0; round < 3; round++) {
    const calls = random.times(20, async () => {
      const tool = random.oneOf(TOOLS);
      const given = argumentsBy(random, tool) as Record<string, unknown>;
      const { project_root: _, response_format: __, ...input } = given;
      const caller = new AbortController();
      if (random.oneIn(4)) setTimeout(() => caller.abort(), random.below(50));
      const request = { walker: tool.name, root, input, given, limits: { deadlineMs: 60_000 } };
      await host.spawn(request, { signal: caller.signal }).catch((thrown: CodewalkError) => {
        codes.push(thrown.code);
        expect(thrown.code, `${tool.name} ${JSON.stringify(input)}`).not.toMatch(/INTERNAL|WALKER_KILLED/);
      });
    });
    await Promise.all(calls);
  }
  expect(codes.length).toBeGreaterThan(10);
  expect(host.pending).toBe(0);
  await expect.poll(() => host.isBusy).toBe(false);
});
