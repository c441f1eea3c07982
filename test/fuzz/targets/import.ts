import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenGraph } from '../../../index.js';
import {
  brief,
  codedError,
  demand,
  type Json,
  libraryIn,
  linesOf,
  type Random,
  type Target,
} from '../lib.js';
import { mutatedJson, mutatedText } from '../mutate.js';

const MEMORIES = [
  {
    type: 'fix',
    title: 'Count the tax once',
    content: 'Basket.total adds it already.',
    tags: ['tax', 'money'],
    memory_id: 'mem_one',
  },
  {
    type: 'decision',
    title: 'Round late',
    content: 'Only what is shown.\nSee `round`.',
    memory_id: 'mem_two',
    importance: 0.9,
  },
  {
    type: 'problem',
    title: 'Totals wrong',
    content: 'é \u{1f600} "quoted"',
    memory_id: 'mem_three',
    about: ['src/money.ts'],
  },
];

/** Exports of memories, changed: taken whole or not at all, and a second time they change nothing. */
export const importing: Target = {
  name: 'import',
  weight: 2,
  async open(place) {
    const { openGraph } = await libraryIn(place);
    const root = join(place.scratch, 'shop');
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src/money.ts'), 'export const tax = 1;\n');
    const anew = () => openGraph(root, { home: join(place.scratch, 'graphs'), inMemory: true });
    const fill = async (graph: OpenGraph) => {
      for (const memory of MEMORIES) await graph.spawn('memory_store', null, memory);
    };
    const exported = await exportIn(anew, fill);
    let nth = 0;
    return {
      generate: (random) => ({
        text: exportBy(random, exported),
        skip: random.oneIn(3),
        filled: random.oneIn(3),
      }),
      async run(input) {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
        const { text, skip, filled } = input;
        if (typeof text !== 'string') return;
        const file = join(place.scratch, `m${nth++}.jsonl`);
        writeFileSync(file, text);
        const given = { file, skip_invalid: skip === true };
        await using graph = await anew();
        if (filled === true) await fill(graph);
        const before = await linesOf(graph, 'memory_export');
        const planned = await codedError(() =>
          graph.spawn('memory_import', null, { ...given, dry_run: true }),
        );
        demand(same(before, await linesOf(graph, 'memory_export')), 'dry-run', 'a dry run wrote something');
        const refused = await codedError(() => graph.spawn('memory_import', null, given));
        const after = await linesOf(graph, 'memory_export');
        if (refused !== null) {
          demand(
            same(before, after),
            'nothing-half',
            `refused with '${brief(refused.message)}', and written`,
          );
          demand(refused.suggestion !== '', 'coded', `nothing is suggested: ${refused.message}`);
        } else {
          demand(planned === null, 'dry-run', `a dry run refuses what is taken: ${planned?.message}`);
          await codedError(() => graph.spawn('memory_import', null, given));
          const again = await linesOf(graph, 'memory_export');
          demand(same(after, again), 'import-again', () => differenceOf(after, again));
          await using other = await anew();
          const copy = join(place.scratch, 'copy.jsonl');
          writeFileSync(copy, `${after.join('\n')}\n`);
          const back = await codedError(() => other.spawn('memory_import', null, { file: copy }));
          demand(back === null, 'reads-itself', `an export is refused: ${back?.message}`);
          const read = await linesOf(other, 'memory_export');
          demand(same(after, read), 'reads-itself', () => differenceOf(after, read));
        }
        rmSync(file);
      },
    };
  },
};

async function exportIn(
  anew: () => Promise<OpenGraph>,
  fill: (graph: OpenGraph) => Promise<void>,
): Promise<Json[]> {
  await using graph = await anew();
  await fill(graph);
  await graph.spawn('memory_update', null, { memory_id: 'mem_one', content: 'Another text.' });
  const link = { from_memory_id: 'mem_one', to_memory_id: 'mem_two', relationship_type: 'SOLVES' };
  await graph.spawn('memory_link', null, link);
  return (await linesOf(graph, 'memory_export')).map((line) => JSON.parse(line));
}

function exportBy(random: Random, exported: readonly Json[]): string {
  const records = random.oneIn(3) ? exported.filter(() => !random.oneIn(4)) : [...exported];
  const changed = records.map((record) => (random.oneIn(3) ? mutatedJson(random, record) : record));
  if (random.oneIn(5)) changed.push(random.oneOf(exported));
  // Without its header a file announces nothing, and may hold less.
  const kept = random.oneIn(2)
    ? changed.filter((one) => JSON.stringify(one)?.includes('"header"') !== true)
    : changed;
  const text = `${kept.map((record) => JSON.stringify(record)).join('\n')}\n`;
  return random.oneIn(4) ? mutatedText(random, text) : text;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

function differenceOf(a: readonly string[], b: readonly string[]): string {
  const at = a.findIndex((line, index) => line !== b[index]);
  return `first: ${brief(a[at] ?? '')}\nthen: ${brief(b[at] ?? '')}`;
}
