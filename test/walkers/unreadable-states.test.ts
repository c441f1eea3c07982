import { expect, it } from 'vitest';
import { defineWalker, type OpenGraph, Root, z } from '../../index.js';
import { GraphUpdateFiles } from '../../walkers/code/graph-update-files.js';
import { ProjectChanges } from '../../walkers/code/project-jobs.js';
import { freshWholeText, wholeText } from './indexed-texts.js';
import { index, open, scratch, write } from './project.js';

const FILES = {
  'a.ts': 'export const a = 1;\n',
  'b.ts': "import { a } from './a';\nexport const b = a;\n",
};

/** Writes what nobody can read in the place of something that is kept beside the graph. */
const Damage = defineWalker('damage', {
  access: 'write',
  input: { name: z.string() },
  on: (w) => [
    w.entry(Root, (_here, context) => context.putBlob(context.state.name, Buffer.from('{', 'utf8'))),
  ],
});

it.each(['state/a.ts', 'state/gone.ts', 'project'])(
  'what is kept of files, with %s damaged, is mended by the next run and by no further one',
  async (name) => {
    const [root, home] = [write(FILES), scratch()];
    let graph = await open(root, home);
    await index(graph);
    await graph.spawn(Damage, null, { name });
    await graph.close();
    graph = await open(root, home);
    expect(await isWhole(graph)).toBe(false);
    const update = async () => (await graph.spawn(GraphUpdateFiles, null, { paths: ['a.ts'] })).output;
    expect((await update()).why).toMatch(/had not finished/);
    expect(await isWhole(graph)).toBe(true);
    expect((await update()).why).toBe(null);
    expect(await wholeText(graph)).toBe(await freshWholeText(FILES));
    await graph.close();
    expect(await isWhole(await open(root, home))).toBe(true);
  },
);

async function isWhole(graph: OpenGraph): Promise<boolean> {
  return (await graph.spawn(ProjectChanges)).output.complete;
}
