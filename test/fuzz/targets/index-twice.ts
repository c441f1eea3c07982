import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openGraph } from '../../../index.js';
import { createParser, languages } from '../../../source/index.js';
import { grammarPath } from '../grammars.js';
import { codedError, demand, type Json, linesOf, type Target } from '../lib.js';
import { writeProject } from '../project.js';
import { realSources, sourceBy } from '../source-texts.js';

/** Projects of changed files: an update gives what a first index gives, line by line. */
export const indexTwice: Target = {
  name: 'index',
  weight: 3,
  async open(place) {
    // Of the sources, as the parser is: two copies of the parser's library do not live in one process.
    const parser = await createParser(languages, { grammarPath });
    const real = realSources(place.root).filter(({ path }) => parser.languageOf(path) !== null);
    const folders = ['', 'src/', 'py/'];
    let nth = 0;
    return {
      generate: (random) =>
        random.times(random.between(1, 4), () => {
          const { path, text } = sourceBy(random, parser, real);
          // Some take the place of what was there.
          const name = random.oneIn(4) ? random.oneOf(['src/money.ts', 'src/round.ts', 'py/shop.py']) : path;
          return [name === path ? random.oneOf(folders) + path : name, text];
        }),
      async run(input) {
        const files = filesIn(input);
        const root = writeProject(join(place.scratch, `p${nth++}`));
        const options = { home: join(root, '..', 'graphs'), inMemory: true };
        try {
          await using graph = await openGraph(root, options);
          await codedError(() => graph.spawn('graph_index_project', null, {}));
          for (const [path, text] of files) {
            mkdirSync(dirname(join(root, path)), { recursive: true });
            writeFileSync(join(root, path), text);
          }
          await codedError(() => graph.spawn('graph_index_project', null, { mode: 'incremental' }));
          await using fresh = await openGraph(root, options);
          await codedError(() => fresh.spawn('graph_index_project', null, {}));
          const [updated, first] = [
            await linesOf(graph, 'graph_export'),
            await linesOf(fresh, 'graph_export'),
          ];
          const at = first.findIndex((line, index) => line !== updated[index]);
          const isSame = at < 0 && first.length === updated.length;
          demand(isSame, 'same-export', `a first index: ${first[at]}\nan update: ${updated[at]}`);
        } finally {
          rmSync(root, { recursive: true, force: true });
        }
      },
      close: () => parser.delete(),
    };
  },
};

function filesIn(input: Json): [path: string, text: string][] {
  return (Array.isArray(input) ? input : []).flatMap((file) => {
    const [path, text] = Array.isArray(file) ? file : [];
    const isFile =
      typeof path === 'string' && /^[\w./-]+$/u.test(path) && !path.includes('..') && !path.endsWith('/');
    return isFile && typeof text === 'string' ? [[path, text] as [string, string]] : [];
  });
}
