import { spawnOn } from './answer.js';
import { absentOrBegun } from './freshness/freshness.js';
import type { Host } from './host.js';
import { drainInto } from './journal/journal.js';
import type { OpenGraph } from './open-graph.js';
import { graphsFolderOf } from './surroundings.js';
import { describeWalkers, ThreadWalkers } from './user-walkers.js';
import { OpenGraphs } from './worker/open-graphs.js';

/** A host that opens the graph of each request in this thread, and closes it again. */
export function directHost(at?: string): Host {
  const home = graphsFolderOf({ home: at });
  const opened = async <T>(
    folders: readonly string[],
    work: (graphs: OpenGraphs, own: ThreadWalkers) => Promise<T>,
  ) => {
    const own = await ThreadWalkers.load(folders);
    const graphs = new OpenGraphs({ home, loaded: own.all, watches: false });
    try {
      return await work(graphs, own);
    } finally {
      await graphs.close();
    }
  };
  const host: Host = {
    spawn: (request, options) =>
      opened(request.userWalkers ?? [], async (graphs, own) => {
        const { root, walker, force = false } = request;
        const walkers = own.registry(request.userWalkers ?? []);
        const due: (() => Promise<unknown>)[] = [];
        const place = {
          walkers,
          home,
          open: () => graphs.of(root, () => absentOrBegun(walkers.get(walker), root, home), force),
          afterwards: ({ walker: next, input }: { walker: string; input: object }, graph: OpenGraph) =>
            void due.push(() => graph.spawn(next, null, { ...input })),
        };
        try {
          return await spawnOn(place, request, options);
        } finally {
          for (const work of due) await work().catch(() => undefined);
        }
      }),
    describe: describeWalkers,
    backup: (root) => opened([], (graphs) => graphs.backup(root)),
    drain: () => drainInto(host, home),
    // Each request closes what it opened.
    release: async () => undefined,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return host;
}
