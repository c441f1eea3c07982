import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SpawnRequest } from '../../host/index.js';
import { BLOCKS, LocalHosts, walkerFile as walker } from './homes.js';

/** More than a run that is alone may work in the thread of its history, and over in seconds. */
const LONG = 'UNWIND range(1, 4000000) AS x WITH x WHERE x % 2000000 = 0 RETURN collect(x) AS found';
const ENDLESS = 'UNWIND range(1, 100000000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b)';

const hosts = new LocalHosts();
const hostWith = (hasSides: boolean) => hosts.open({ hasSides });
const written: typeof hosts.write = (folder, files) => hosts.write(folder, files);

describe('threads beside that of a history', () => {
  let root = '';
  const cypher = (query: string): SpawnRequest => ({ walker: 'query_cypher', root, input: { query } });

  beforeAll(async () => {
    const texts = Array.from({ length: 30 }, (_, at) => [
      `file${at}.ts`,
      `import { f${(at + 1) % 30} } from './file${(at + 1) % 30}.js';\nexport function f${at}(): number { return f${(at + 1) % 30}(); }\n`,
    ]);
    root = written('shop', Object.fromEntries(texts));
    const one = hostWith(false);
    await one.spawn({ walker: 'graph_index_project', root, input: {} });
    await one.close();
  });

  it('answer a heavy query as the thread of its history does', async () => {
    const [aside, here] = [hostWith(true), hostWith(false)];
    const far = await aside.spawn(cypher(LONG));
    await aside.close();
    const near = await here.spawn(cypher(LONG));
    expect(far.body.results).toMatchObject({ rows: [{ found: [2000000, 4000000] }] });
    expect(far.body).toMatchObject({ results: near.body.results, state: near.body.state });
  });

  it('export what the thread of the history exports', async () => {
    const lines: string[] = [];
    for (const hasSides of [true, false]) {
      const one = hostWith(hasSides);
      const { spool } = await one.spawn({ walker: 'graph_export', root, input: {}, spool: true });
      lines.push(readFileSync(spool?.file ?? '', 'utf8'));
      await one.close();
    }
    expect(lines[0]).toBe(lines[1]);
    expect(lines[0]?.split('\n').length).toBeGreaterThan(60);
  });

  it('let small questions end before heavy ones that came first, and see what was recorded meanwhile', async () => {
    const one = hostWith(true);
    const ended: string[] = [];
    const callers = Array.from({ length: 24 }, () => new AbortController());
    const heavy = callers.map(({ signal }, at) =>
      one.spawn(cypher(`${ENDLESS} + ${at} AS sum`), { signal }).catch(() => ended.push('heavy')),
    );
    for (let at = 0; at < 3; at++) {
      const payload = { user_prompt: `look ${at}` };
      await one.spawn({
        walker: 'etg_log_event',
        root,
        input: { event_id: `e${at}`, kind: 'task_start', payload },
      });
      const { body } = await one.spawn(cypher('MATCH (t:Task) RETURN count(t) AS tasks'));
      expect(body.results).toMatchObject({ rows: [{ tasks: at + 1 }] });
      await one.spawn({ walker: 'query_callers', root, input: { function_name: 'f1' } });
      ended.push('small');
    }
    for (const caller of callers) caller.abort();
    await Promise.all(heavy);
    expect(ended).toEqual([...Array(3).fill('small'), ...Array(24).fill('heavy')]);
  });

  it("keep people's walkers that never yield from everybody else, and end them when their caller goes", async () => {
    const one = hostWith(true);
    const mine = written('spins', { 'spin.mjs': walker('spin', `console.log("spins"); ${BLOCKS}`) });
    const ended: string[] = [];
    const caller = new AbortController();
    // What is new is loaded before anything is at work.
    await one.spawn({ walker: 'graph_stats', root, input: {}, userWalkers: [mine] });
    let spun = Promise.resolve(0);
    await new Promise<void>((begun) => {
      const request = { walker: 'spin', root, input: {}, userWalkers: [mine] };
      spun = one
        .spawn(request, { signal: caller.signal, onPrint: () => begun() })
        .then(
          () => 'answered',
          (error) => error.code,
        )
        .then((how) => ended.push(how));
    });
    for (let at = 0; at < 5; at++)
      await one.spawn({ walker: 'query_callers', root, input: { function_name: 'f1' } });
    ended.push('small');
    caller.abort();
    await spun;
    expect(ended).toEqual(['small', 'WALKER_KILLED']);
  });

  it("run people's walkers that read on the version of their beginning, with what they print", async () => {
    const one = hostWith(true);
    const body = `console.log('counting'); return { counted: (await context.counts()).nodes.size > 0 };`;
    const mine = written('counts', { 'count.mjs': walker('count_kinds', body) });
    const printed: string[] = [];
    const request = { walker: 'count_kinds', root, input: {}, userWalkers: [mine] };
    const answer = await one.spawn(request, { onPrint: (text) => printed.push(text) });
    expect(answer.body).toMatchObject({ counted: true });
    expect(printed.join('')).toBe('counting\n');
  });

  it("leave people's walkers that write where the graph is", async () => {
    const one = hostWith(true);
    const mine = written('writes', {
      'note.mjs': `import { defineNode, defineWalker, z } from 'codewalk';
export const Note = defineNode('SideNote', { text: z.string() });
export default defineWalker('add_side_note', { access: 'write', start: () => null, on: () => [],
  finish: async ({ context }) => { await context.create(Note({ text: 'hello' })); return { done: true }; } });
`,
    });
    const request = { walker: 'add_side_note', root, input: {}, userWalkers: [mine] };
    expect((await one.spawn(request)).body).toMatchObject({ done: true });
    const { body } = await one.spawn({
      ...cypher('MATCH (n:SideNote) RETURN count(n) AS n'),
      userWalkers: [mine],
    });
    expect(body.results).toMatchObject({ rows: [{ n: 1 }] });
  });
});
