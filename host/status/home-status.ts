import { z } from 'zod';
import { daemonHello, runningDaemon } from '../client/find-daemon.js';
import { folderSize } from '../folders.js';
import { FreshnessStatus } from '../freshness/fresh-state.js';
import { type JournalCounts, journalCounts } from '../journal/files.js';
import { pausedBy } from '../projects/pause.js';
import { listProjects, type Project } from '../projects/project-list.js';
import { realHome } from '../real-home.js';

/** What a daemon says of itself. */
const DaemonFacts = z.object({
  pid: z.number(),
  version: z.string(),
  /** ISO 8601. */
  started: z.string(),
  memory_bytes: z.number(),
  /** Requests without an answer. */
  pending: z.number(),
  graphs: z.array(
    z.object({
      root: z.string(),
      revision: z.number(),
      files: FreshnessStatus,
    }),
  ),
});
export type DaemonFacts = z.infer<typeof DaemonFacts>;

/** What `codewalk status` tells. */
export interface HomeStatus {
  readonly home: string;
  /** All that lies in it. */
  readonly bytes: number;
  /** Null where none runs. */
  readonly daemon: DaemonFacts | null;
  readonly projects: readonly (Project & {
    /** Whether the daemon has its graph open. */
    readonly open: boolean;
    /** Paths that a watcher told of since the last answer; null where none tells all, as before the first answer. */
    readonly pending: number | null;
    /** Why no watcher tells of changes, so that every question looks at the files; null where one does, or none is open. */
    readonly not_watched: string | null;
  })[];
  readonly journal: JournalCounts;
  /** Whether nothing at all is recorded. */
  readonly paused: boolean;
}

/** The state of a home: told by its files, and by its daemon where one runs. Starts nothing. */
export async function homeStatus(home: string): Promise<HomeStatus> {
  const daemon = await daemonFacts(home);
  const graphs = new Map(daemon?.graphs.map((graph) => [graph.root, graph]));
  const projects = listProjects({ home }).map((project) => {
    const graph = project.root === null ? undefined : graphs.get(project.root);
    return {
      ...project,
      revision: graph?.revision ?? project.revision,
      open: graph !== undefined,
      pending: graph?.files.trusted ? graph.files.dirty : null,
      not_watched: graph?.files.whyNotWatched ?? null,
    };
  });
  return {
    home,
    bytes: folderSize(home),
    daemon,
    projects,
    journal: journalCounts(home),
    paused: pausedBy(null, { home }) !== null,
  };
}

/** What the daemon of a home says of itself; null where none runs. */
export async function daemonFacts(home: string): Promise<DaemonFacts | null> {
  const real = realHome(home);
  const link = real === null ? null : await runningDaemon(real, daemonHello());
  if (link === null) return null;
  try {
    return DaemonFacts.parse(await link.ask({ status: true }));
  } finally {
    link.close();
  }
}
