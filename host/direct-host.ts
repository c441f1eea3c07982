import { performance } from 'node:perf_hooks';
import type { FollowUp } from '../runtime/index.js';
import type { LayerStore } from '../storage/index.js';
import { makeBackup } from './backups/make-backup.js';
import { absentOrBegun, Freshness, indexesByItself } from './freshness/freshness.js';
import { History } from './history.js';
import type { Host } from './host.js';
import { drainInto } from './journal/journal.js';
import { type OpenGraph, openEmbedded } from './open-graph.js';
import { WalkerRegistry } from './registry.js';
import { signatureOf } from './signature.js';
import { spawnOn } from './spawn-on.js';
import { graphsFolderOf, homesOf, processSurroundings } from './surroundings.js';
import { loadUserWalkers } from './user-walkers.js';

/** A host that opens the graph of each request in this thread, and closes it again. */
export function directHost(home?: string): Host {
  const folder = graphsFolderOf({ home });
  const host: Host = {
    async spawn(request, options) {
      const { root, force = false } = request;
      const loaded = await loadUserWalkers(request.userWalkers ?? [], { cwd: root });
      const walkers = new WalkerRegistry(loaded.walkers, { bare: false });
      const opened: { close(): unknown }[] = [];
      const afterwards: (() => Promise<unknown>)[] = [];
      const place = {
        walkers,
        home: folder,
        afterwards: (due: FollowUp, graph: OpenGraph) =>
          void afterwards.push(() => graph.spawn(due.walker, null, { ...due.input })),
        async open() {
          const absent = absentOrBegun(walkers.get(request.walker), root, folder);
          const graph = await openEmbedded(root, { ...loaded, home: folder, force, absent });
          opened.push(graph);
          return graph;
        },
        freshness(graph: OpenGraph) {
          const autoIndex = () => indexesByItself(root, folder);
          const fresh = new Freshness({ graph, cookies: null, autoIndex, clock: () => performance.now() });
          opened.push(fresh);
          return fresh;
        },
      };
      try {
        return await spawnOn(place, request, options);
      } finally {
        for (const work of afterwards) await work().catch(() => undefined);
        for (const one of opened.reverse()) await one.close();
      }
    },
    async describe(folders, deadlineMs) {
      const limit = deadlineMs === null ? {} : { deadlineMs };
      const { walkers } = await loadUserWalkers(folders, { cwd: processSurroundings().cwd, ...limit });
      return walkers.map(signatureOf);
    },
    async backup(root) {
      const history = new History();
      await using graph = await openEmbedded(root, { home: folder, history, absent: 'refused' });
      const homes = homesOf(graph.root ?? root, { home: folder });
      return await makeBackup((await history.layer) as LayerStore, homes, { now: Date.now() });
    },
    drain: () => drainInto(host, folder),
    // Each request closes what it opened.
    release: async () => undefined,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return host;
}
