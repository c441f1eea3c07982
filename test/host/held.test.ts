import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkNesting } from '../../host/protocol.js';
import { CodewalkError } from '../../schema/index.js';
import { BLOCKS, LocalHosts } from './homes.js';

/* What a thread that hangs costs: its own request alone. */

const hosts = new LocalHosts('file');
const log = join(hosts.folder, 'began');

const walker = (
  name: string,
  body: string,
  access = 'write',
) => `import { appendFileSync, readFileSync } from 'node:fs';
import { defineWalker } from 'codewalk';
export default defineWalker('${name}', {
  access: '${access}', start: () => null, on: () => [],
  finish: async () => { appendFileSync(${JSON.stringify(log)}, '${name}\\n'); ${body} },
});
`;

/** Waits until its thread ends; the next time it answers. */
const FIRST_WAITS = `if (readFileSync(${JSON.stringify(log)}, 'utf8').split('rest').length === 2) await new Promise(() => {});`;

/** How a request ends. */
const end = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error) => error.code,
  );

describe('while a walker that writes hangs', () => {
  // Other tests fill this process, and a host that takes too much memory closes what rests.
  const host = hosts.open({ hasSides: true, memoryBytes: Number.POSITIVE_INFINITY });
  const [root, other] = ['shop', 'bank'].map((name) =>
    hosts.write(name, { 'a.ts': 'export const a = 1;\n' }),
  ) as [string, string];
  const mine = hosts.write('mine', {
    'hang.mjs': walker('hang', BLOCKS),
    'leave.mjs': walker('leave', 'process.exit(3);'),
    'rest.mjs': walker('rest', FIRST_WAITS, 'steps'),
  });
  const stats = (of: string) => ({ walker: 'graph_stats', root: of, input: {} });
  const began = () => readFileSync(log, 'utf8').trim().split('\n');
  beforeAll(async () => {
    for (const of of [root, other]) await host.spawn({ ...stats(of), walker: 'graph_index_project' });
    await host.spawn({ ...stats(root), userWalkers: [mine] });
  });

  it('others are told who holds them up when their own time is over, and other projects are not held up', async () => {
    const caller = new AbortController();
    const hung = host.spawn({ walker: 'hang', root, input: {}, userWalkers: [mine] }, caller);
    const ended = end(hung);
    await expect.poll(began).toEqual(['hang']);
    const held = host.spawn({ ...stats(root), limits: { deadlineMs: 500 } });
    await expect(held).rejects.toMatchObject({
      code: 'BUSY',
      message: expect.stringMatching(/shop is held up by 'hang', which was asked \d+ s ago/),
      retryAfterMs: expect.any(Number),
    });
    expect(await end(host.spawn(stats(other)))).toBe('answered');
    expect((await host.openGraphs()).map((graph) => graph.root)).toEqual([other]);
    // Its caller goes: nothing waits for it any more.
    caller.abort();
    expect(await ended).toBe('WALKER_KILLED');
    expect(await end(host.spawn(stats(root)))).toBe('answered');
    expect(began()).toEqual(['hang']);
    expect(host.pending).toBe(0);
  });

  it('one that ends its thread is not run again, and who was beside it is answered', async () => {
    const leave = host.spawn({ walker: 'leave', root, input: {}, userWalkers: [mine] });
    const beside = host.spawn(stats(root));
    expect(await Promise.all([end(leave), end(beside)])).toEqual(['WALKER_KILLED', 'answered']);
    expect(began().filter((name) => name === 'leave')).toEqual(['leave']);
    expect(host.pending).toBe(0);
  });

  it("one of the user's own beside it that may be run again is, and answers", async () => {
    const own = (name: string) => end(host.spawn({ walker: name, root, input: {}, userWalkers: [mine] }));
    const rest = own('rest');
    await expect.poll(began).toContain('rest');
    expect(await Promise.all([own('leave'), rest])).toEqual(['WALKER_KILLED', 'answered']);
    expect(began().filter((name) => name === 'rest')).toHaveLength(2);
  });

  it('one that hangs is not run again when its graph is to be let go of', async () => {
    const hung = end(host.spawn({ walker: 'hang', root, input: {}, userWalkers: [mine] }));
    await expect.poll(() => began().filter((name) => name === 'hang').length).toBe(2);
    // It is known for hanging by then.
    await new Promise((done) => setTimeout(done, 2600));
    await host.release(root);
    expect(await hung).toBe('WALKER_KILLED');
    expect(began().filter((name) => name === 'hang')).toHaveLength(2);
  });
});

describe('input that is nested too deep', () => {
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

  it('is refused, with an error that can be told', () => {
    expect(() => checkNesting(nested(1000), 'it')).not.toThrow();
    for (const value of [nested(1002), { a: { b: nested(100_000) } }]) {
      const refused = (() => {
        try {
          checkNesting(value, 'it');
        } catch (thrown) {
          return thrown as CodewalkError;
        }
        return null;
      })();
      expect(refused).toMatchObject({ code: 'INVALID_INPUT' });
      expect(JSON.stringify(refused?.toBody())).toMatch(/nested more than 1000 levels/);
    }
  });

  it('is shown in an error as far as an error goes, whatever the error is', () => {
    const body = new CodewalkError('INTERNAL', 'x', { input: nested(100_000) }).toBody();
    expect(JSON.stringify(body.provided_input)).toMatch(/^\[{100}"…"\]{100}$/);
  });
});
