import { accessSync, constants, statSync } from 'node:fs';
import { z } from 'zod';
import { CodewalkError, toCodewalkError } from '../schema/index.js';
import { DAEMON_SCRIPT, daemonHello, reachDaemon, runningDaemon } from './client/find-daemon.js';
import { configuredEmbedder, pausedBy, readConfig } from './config.js';
import { checkOwnSocket, daemonAddress, readRecord } from './daemon/wire.js';
import { folderSize, realPath } from './files.js';
import { FreshnessStatus } from './freshness/fresh-state.js';
import { journalCounts, namesIn } from './journal/aside.js';
import { journalFolders } from './journal/entry.js';
import { isRecorded } from './project-root.js';
import { listProjects } from './projects/project-list.js';
import { configFile } from './surroundings.js';

/** What a daemon says of itself. */
const DaemonFacts = z.object({
  pid: z.number(),
  version: z.string(),
  /** ISO 8601. */
  started: z.string(),
  memory_bytes: z.number(),
  /** Requests without an answer. */
  pending: z.number(),
  graphs: z.array(z.object({ root: z.string(), revision: z.number(), files: FreshnessStatus })),
});

/** See {@link homeStatus}. */
export type HomeStatus = Awaited<ReturnType<typeof homeStatus>>;

/** The state of a home, from its files and from its daemon where one runs. Starts nothing. */
export async function homeStatus(home: string) {
  const daemon = await daemonFacts(home);
  const graphs = new Map(daemon?.graphs.map((graph) => [graph.root, graph]));
  const projects = listProjects({ home }).map((project) => {
    const graph = project.root === null ? undefined : graphs.get(project.root);
    return {
      ...project,
      revision: graph?.revision ?? project.revision,
      /** Whether the daemon has its graph open. */
      open: graph !== undefined,
      /** Paths that a watcher reported since the last answer; null where none reports all. */
      pending: graph?.files.trusted ? graph.files.dirty : null,
      /** Why every question looks at the files; null where a watcher reports changes, or the graph is not open. */
      not_watched: graph?.files.whyNotWatched ?? null,
    };
  });
  return {
    home,
    bytes: folderSize(home),
    /** Null where none runs. */
    daemon,
    projects,
    journal: journalCounts(home),
    /** Whether nothing at all is recorded. */
    paused: pausedBy(null, { home }) !== null,
  };
}

/** Whether a daemon runs that has the graph of a root open. Starts nothing. @param home Absolute. */
export async function hasOpen(home: string, root: string): Promise<boolean> {
  return (await daemonFacts(home))?.graphs.some((graph) => graph.root === root) ?? false;
}

async function daemonFacts(home: string): Promise<z.infer<typeof DaemonFacts> | null> {
  const real = realPath(home);
  const link = real === null ? null : await runningDaemon(real, daemonHello());
  if (link === null) return null;
  try {
    return DaemonFacts.parse(await link.ask({ status: true }));
  } finally {
    link.close();
  }
}

/** One thing that was tried. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** Whether there is something to know though it is well. */
  readonly note?: true;
  readonly found: string;
  /** What to do; empty where there is nothing. */
  readonly suggestion: string;
}

/** What is found well, and what is to be known of it all the same. */
interface Noted {
  readonly found: string;
  readonly note: string;
}

/**
 * Tries, in the order in which they stand on each other, what commands and agents need. Starts the daemon, unless there
 * is no home yet: nothing is made.
 */
export async function examine(home: string, root: string): Promise<Check[]> {
  const node = await check('node', () => `${process.version} on ${process.platform}-${process.arch}`);
  const recording = await check('recording', () => examineRecording(root, home));
  const real = realPath(home);
  if (real === null)
    return [
      node,
      await check('home', () => ({
        found: `${home} is not there`,
        note: 'The first command or agent that needs it makes it; the daemon is not tried before.',
      })),
      recording,
    ];
  return [
    node,
    await check('home', () => {
      accessSync(real, constants.R_OK | constants.W_OK);
      const mode = statSync(real).mode & 0o777;
      if (process.platform !== 'win32' && (mode & 0o022) !== 0)
        throw new CodewalkError('DAEMON_FAILED', `others can write to ${real} (mode ${mode.toString(8)})`, {
          suggestion: `chmod go-w ${real}, and see that all in it is yours.`,
        });
      return `${real} (mode ${mode.toString(8)})`;
    }),
    await check('config', () => {
      readConfig({ home });
      return configFile({ home });
    }),
    await check('socket', () => {
      const address = readRecord(real)?.address ?? daemonAddress(real);
      checkOwnSocket(address);
      return address;
    }),
    await check('daemon', async () => {
      const link = await reachDaemon(real, daemonHello(), DAEMON_SCRIPT);
      const began = performance.now();
      await link.ask({ status: true });
      const took = performance.now() - began;
      const { pid, version } = link.hello;
      link.close();
      return `process ${pid}, version ${version}, answers in ${took.toFixed(1)} ms`;
    }),
    await check('journal', () => examineJournal(real)),
    recording,
  ];
}

/** Whether what agents do in a project is recorded. */
function examineRecording(root: string, home: string): Noted {
  const by = pausedBy(root, { home });
  if (by === 'all')
    return { found: 'paused in all projects', note: "'codewalk resume --all' goes on with it." };
  if (by === 'project')
    return { found: `paused in ${root}`, note: `'codewalk resume ${root}' goes on with it.` };
  if (isRecorded(root, { home })) return { found: `on in ${root}`, note: '' };
  return {
    found: `not in ${root}`,
    note: 'It is neither a git work tree nor has a manifest (package.json, pyproject.toml…), and was never indexed.',
  };
}

/** What waited before a daemon took in all that it could, and still waits, waits for a person. */
async function examineJournal(home: string): Promise<string> {
  const { fresh, quarantine } = journalFolders(home);
  const before = namesIn(fresh);
  const link = await runningDaemon(home, daemonHello());
  const failure = await link?.ask({ drain: true }).catch(toCodewalkError);
  link?.close();
  const still = new Set(link ? namesIn(fresh) : []);
  const stuck = before.filter((name) => still.has(name)).length;
  if (stuck > 0) {
    const why = failure instanceof CodewalkError ? `: ${failure.message}` : '';
    throw new CodewalkError('DAEMON_FAILED', `${stuck} files in ${fresh} are not taken in${why}`, {
      input: fresh,
      suggestion: 'Mend what the message names; the daemon looks again every two seconds.',
    });
  }
  const { pending, quarantine: aside } = journalCounts(home);
  const reasons = Object.entries(aside).filter(([, count]) => count > 0);
  if (reasons.length > 0) {
    const counts = reasons.map(([reason, count]) => `${count} ${reason}`).join(', ');
    throw new CodewalkError('DAEMON_FAILED', `files were set aside in ${quarantine}: ${counts}`, {
      input: quarantine,
      suggestion:
        'They lie there as they came, but for secrets, until others push them out: look at them, and delete them.',
    });
  }
  return `${pending} events wait`;
}

/** Tries one thing. */
async function check(name: string, look: () => string | Noted | Promise<string | Noted>): Promise<Check> {
  try {
    const said = await look();
    const { found, note } = typeof said === 'string' ? { found: said, note: '' } : said;
    return { name, ok: true, ...(note === '' ? {} : { note: true }), found, suggestion: note };
  } catch (thrown) {
    const { message, suggestion } = toCodewalkError(thrown);
    return { name, ok: false, found: message, suggestion: suggestion || 'Look at it, or file an issue.' };
  }
}

/** Tries whether the configured embedder works: what it gives for one word. */
export function examineEmbeddings(root: string, home: string): Promise<Check> {
  return check('embeddings', async () => {
    const embedder = configuredEmbedder(root, { home })();
    const began = performance.now();
    const vector = (await embedder?.embedQuery?.('codewalk')) ?? [];
    const took = performance.now() - began;
    return `vectors of ${vector.length} numbers from '${embedder?.model}', in ${took.toFixed(0)} ms`;
  });
}
