import { performance } from 'node:perf_hooks';
import { absentOrBegun, indexesByItself } from './freshness/auto-index.js';
import { Freshness } from './freshness/freshness.js';
import type { Host, SpawnRequest } from './host.js';
import { drainInto } from './journal/drain-into.js';
import { type OpenGraph, openGraph } from './open-graph.js';
import { WalkerRegistry } from './registry.js';
import { signatureOf } from './signature.js';
import { spawnOn } from './spawn-on.js';
import { graphsFolderOf, processSurroundings } from './surroundings.js';
import { loadUserWalkers } from './user-walkers.js';

/** A host that opens the graph of each request in this thread, and closes it again. */
export function directHost(home?: string): Host {
  const host: Host = {
    async spawn(request, options) {
      const loaded = await loadUserWalkers(request.userWalkers ?? [], { cwd: request.root });
      const walkers = new WalkerRegistry(loaded.walkers, { bare: false });
      const graph = openFor(request, walkers, home);
      const open = () => graph.value();
      try {
        const place = {
          walkers,
          open,
          home: graphsFolderOf({ home }),
          freshness: graph.freshness,
        };
        return await spawnOn(place, request, options);
      } finally {
        await graph.close();
      }
    },
    async describe(folders, deadlineMs) {
      const limit = deadlineMs === null ? {} : { deadlineMs };
      const { walkers } = await loadUserWalkers(folders, { cwd: processSurroundings().cwd, ...limit });
      return walkers.map(signatureOf);
    },
    drain: () => drainInto(host, graphsFolderOf({ home })),
    // Each request closes what it opened.
    release: async () => undefined,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return host;

  function openFor(request: SpawnRequest, walkers: WalkerRegistry, at: string | undefined) {
    let opening: ReturnType<typeof openGraph> | null = null;
    let fresh: Freshness | null = null;
    const folder = graphsFolderOf({ home: at });
    return {
      freshness(graph: OpenGraph) {
        fresh ??= new Freshness({
          graph,
          cookies: null,
          autoIndex: () => indexesByItself(request.root, folder),
          clock: () => performance.now(),
        });
        return fresh;
      },
      async value() {
        opening ??= loadUserWalkers(request.userWalkers ?? [], { cwd: request.root }).then((loaded) =>
          openGraph(request.root, {
            ...loaded,
            force: request.force ?? false,
            absent: absentOrBegun(walkers.get(request.walker), request.root, folder),
            ...(at === undefined ? {} : { home: at }),
          }),
        );
        return opening;
      },
      async close() {
        await fresh?.close();
        await (await opening?.catch(() => undefined))?.close();
      },
    };
  }
}
