import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import {
  type FollowUp,
  type Progress,
  type RunOptions,
  Stretches,
  TooLongHere,
  type WalkerType,
} from '../../runtime/index.js';
import { type ErrorCode, LIMITS, toCodewalkError } from '../../schema/index.js';
import type { FreshState } from '../freshness/fresh-state.js';
import { absentOrBegun } from '../freshness/freshness.js';
import type { SpawnOptions, SpawnRequest } from '../host.js';
import { insideOf, type OpenGraph, openEmbedded } from '../open-graph.js';
import { signatureOf } from '../signature.js';
import { checkedInput, type SpawnPlace, spawnOn } from '../spawn-on.js';
import { type LoadedWalkers, loadUserWalkers } from '../user-walkers.js';
import { FarStores } from './far-stores.js';
import {
  type Aside,
  Claim,
  type FromThread,
  heldUp,
  Pulse,
  sharedNow,
  type ThreadData,
  type ToThread,
} from './messages.js';
import { Sides } from './sides.js';
import { ThreadGraphs } from './thread-graphs.js';
import { ThreadWalkers } from './thread-walkers.js';

/** Milliseconds between two notes of one phase. */
const INTERVAL = 100;

/** Milliseconds that runs get to end when the thread closes, and between two looks whether they have. */
const FINISHING_MS = 1000;
const LOOK_MS = 10;
/** Milliseconds between two signs of life. */
const BEAT_MS = 100;
/** How a run ends that would end the next thread, too. */
const HUNG: ReadonlySet<ErrorCode> = new Set(['WALKER_KILLED', 'QUERY_TIMEOUT']);

/** A run that is at work. */
interface Running {
  readonly abort: AbortController;
  /** Whether it goes on when its caller gives up. */
  readonly stays: boolean;
  /** Whether it commits in steps. */
  readonly inSteps: boolean;
}

/** Runs requests on the graphs of one history until it is told to close. */
export async function serveThread(port: MessagePort, data: ThreadData): Promise<void> {
  const pulse = new Pulse(data.pulse);
  setInterval(() => pulse.beat(heapMib()), BEAT_MS).unref();
  const say = (message: FromThread) => port.postMessage(message);
  // What people's walkers print is for whoever runs them.
  const print = (chunk: Uint8Array | string) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    say({ kind: 'printed', id: pulse.running, text });
    return true;
  };
  process.stdout.write = print;
  process.stderr.write = print;
  const walkers = await ThreadWalkers.load(data.userWalkers);
  const graphs = new ThreadGraphs(data.home, walkers.all, (change) => pulse.index(change));
  const sideGraphs = data.stores ? new SideGraphs(data.home, walkers.all, data.stores) : null;
  const running = new Map<number, Running>();
  let closing = false;
  const turns = new WriterTurns((id) => pulse.run(id));
  let lastFollowUp = 0;

  /** Beside the answers, which nobody waits for it; closing does. */
  const afterwards = (root: string, due: FollowUp, graph: OpenGraph) => {
    const work = () => graph.spawn(due.walker, null, { ...due.input });
    const id = --lastFollowUp;
    running.set(id, { abort: new AbortController(), stays: true, inSteps: false });
    setImmediate(() =>
      turns
        .take(id, { walker: due.walker, root, input: {} }, work)
        .catch(() => undefined)
        .finally(() => {
          running.delete(id);
          void graphs.settled(root);
        }),
    );
  };

  /** Does something with a graph unless it was closed in the meantime. */
  const withOpen = (root: string, work: (graph: OpenGraph) => void) =>
    void graphs
      .known(root)
      ?.then(work)
      .catch(() => undefined);

  const sides: Sides | null = data.hasSides
    ? new Sides(data.home, new URL('./graph.worker.js', import.meta.url), {
        isBusy: () => running.size > (sides?.runs ?? 0),
        found: (root, paths) => withOpen(root, (graph) => graphs.freshnessOf(graph).found(paths)),
        due: (root, due) => withOpen(root, (graph) => afterwards(root, due, graph)),
      })
    : null;
  const stretches = new Stretches(LIMITS.sideMemory.max, processorClock());

  /** Where a request runs in this thread. */
  const placeOf = (request: SpawnRequest, walker: WalkerType, aside: Aside | undefined): SpawnPlace => {
    const { root, force = false } = request;
    const common = { walkers: walkers.registry(request.userWalkers ?? []), home: data.home };
    if (sideGraphs && aside)
      return {
        ...common,
        open: () => sideGraphs.of(root, aside),
        freshness: (graph) => sideGraphs.freshness(graph, root, aside.fresh),
        afterwards: (due) => sideGraphs.due(root, due),
      };
    return {
      ...common,
      open: () => graphs.of(root, () => absentOrBegun(walker, root, data.home), force),
      freshness: (graph) => graphs.freshnessOf(graph),
      afterwards: (due, graph) => afterwards(root, due, graph),
    };
  };

  const run = async (id: number, request: SpawnRequest, aside?: Aside): Promise<string> => {
    const registry = walkers.registry(request.userWalkers ?? []);
    const walker = registry.get(request.walker);
    const abort = new AbortController();
    const stays = walker.access === 'steps' && request.detached === true;
    running.set(id, { abort, stays, inSteps: walker.access === 'steps' });
    if (walker.access === 'steps') pulse.fill();
    if (!isRepeatable(request, walker.access)) say({ kind: 'once', id });
    pulse.run(id);
    const place = placeOf(request, walker, aside);
    const isOwn = walkers.isOwn(walker);
    let mayMove = sides !== null;
    const { sharing, end } = stretches.share(() =>
      mayMove && sides ? sides.graceMs(running.size) : Number.POSITIVE_INFINITY,
    );
    const options: SpawnOptions = {
      signal: abort.signal,
      onAbility: () => pulse.run(id),
      onProgress: steady(
        (progress) => say({ kind: 'progress', id, progress }),
        () => performance.now(),
      ),
    };
    const elapsedMs = aside ? Math.max(0, sharedNow() - aside.began) : 0;
    const here = () => spawnOn(place, request, { ...options, sharing, elapsedMs });
    /** Null where there is no graph on disk, so that it cannot run in a side thread; `here` reports why. */
    const elsewhere = async (elapsedMs: number): Promise<string | null> => {
      const graph = await place.open().catch(() => null);
      if (sides === null || graph === null || !insideOf(graph).versions) return null;
      const fresh = await graphs.freshnessOf(graph).before(walker, options);
      say({ kind: 'aside', id });
      const onPrint = (text: string) => say({ kind: 'printed', id, text });
      return sides.run({ request, graph, fresh, elapsedMs }, isOwn, { ...options, onPrint });
    };
    try {
      const isAside = sides?.takes(request, walker, isOwn) === true;
      // What is wrong with the input is reported before anything is opened.
      if (isAside) checkedInput(walker, request);
      const elsewhereAnswer = isAside ? await elsewhere(0) : null;
      if (elsewhereAnswer !== null) return elsewhereAnswer;
      return JSON.stringify(await (walker.access === 'write' ? turns.take(id, request, here) : here()));
    } catch (thrown) {
      if (!(thrown instanceof TooLongHere)) throw thrown;
      end();
      mayMove = false;
      return (await elsewhere(thrown.elapsedMs)) ?? JSON.stringify(await here());
    } finally {
      end();
      running.delete(id);
      void graphs.settled(request.root);
    }
  };

  const answer = async (id: number, work: () => Promise<string>) => {
    try {
      const json = await work();
      say({ kind: 'done', id, json });
    } catch (thrown) {
      const body = bodyOf(thrown);
      // What closing cut short is asked again, of the next thread; not what hung in a side thread.
      if (!closing || HUNG.has(body.error_code)) say({ kind: 'failed', id, json: JSON.stringify(body) });
    }
  };

  port.on('message', async (message: ToThread) => {
    switch (message.kind) {
      case 'run':
        if (!new Claim(message.claim).begin()) return;
        return answer(message.id, () => run(message.id, message.request, message.aside));
      case 'cancel': {
        const run = running.get(message.id);
        if (run && !run.stays) run.abort.abort();
        return;
      }
      case 'describe':
        if (!new Claim(message.claim).begin()) return;
        pulse.run(message.id);
        return answer(message.id, () => described(message.folders, message.deadlineMs));
      case 'backup':
        if (!new Claim(message.claim).begin()) return;
        return answer(message.id, async () => JSON.stringify(await graphs.backup(message.root)));
      case 'facts':
        return answer(message.id, async () => JSON.stringify(await factsOf(graphs)));
      case 'open':
        await graphs.of(message.root, () => 'refused', true).catch(() => undefined);
        // What the thread before this one was about to embed.
        await graphs.settled(message.root);
        return;
      case 'close':
        closing = true;
        // Long work goes on elsewhere from its last commit; what is short comes to its end.
        for (const { abort, inSteps } of running.values()) if (inSteps) abort.abort();
        for (let left = FINISHING_MS; running.size > (sides?.runs ?? 0) && left > 0; left -= LOOK_MS)
          await sleep(LOOK_MS);
        await sides?.close();
        await graphs.close();
        port.close();
        process.exit(0);
    }
  });
  say({ kind: 'ready' });
}

/** Signatures of people's walkers, as JSON. */
async function described(folders: readonly string[], deadlineMs: number | null): Promise<string> {
  const limit = deadlineMs === null ? {} : { deadlineMs };
  const { walkers } = await loadUserWalkers(folders, { cwd: '/', ...limit });
  return JSON.stringify(walkers.map(signatureOf));
}

/** The processor time of this thread where the system reports it: on a busy machine the clock says little about work. */
function processorClock(): (() => number) | undefined {
  const file = '/proc/thread-self/schedstat';
  const read = () => Number.parseInt(readFileSync(file, 'utf8'), 10) / 1e6;
  try {
    return Number.isFinite(read()) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** What this thread's heap and its buffers take, in mebibytes. */
function heapMib(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return Math.round((total_heap_size + external_memory) / 1024 / 1024);
}

/** What an open graph is known by. */
async function factsOf(graphs: ThreadGraphs) {
  const open = await graphs.open();
  return Promise.all(
    open.map(async (graph) => ({
      root: graph.root,
      revision: graph.revision,
      bytes: await graph.sizeOnDisk(),
      files: graphs.freshnessOf(graph).status,
    })),
  );
}

/** What can be asked again when nobody knows how far it came. */
function isRepeatable({ input, userWalkers }: SpawnRequest, access: string): boolean {
  if (access !== 'write') return true;
  return (userWalkers ?? []).length === 0 || input.event_id !== undefined;
}

/** An error as plain data; what cannot be told as JSON is left out. */
function bodyOf(thrown: unknown) {
  const error = toCodewalkError(thrown);
  const stack = process.env.CODEWALK_DEBUG ? { stack: stackOf(error) } : {};
  return { ...error.toBody(), ...stack };
}

function stackOf(error: Error): string {
  const { cause } = error;
  const under = cause instanceof Error ? `\ncaused by ${stackOf(cause)}` : '';
  return `${error.stack ?? ''}${under}`;
}

/** Writers of a graph come one after the other: side by side they would only lose conflicts to each other. */
class WriterTurns {
  #last: Promise<unknown> = Promise.resolve();
  #writer = '';

  /** @param begins Told of the run whose turn it is. */
  constructor(private readonly begins: (id: number) => void) {}

  /** @throws CodewalkError `BUSY` when the turn does not come in time, for one that waits for what never comes. */
  take<T>(
    id: number,
    request: Pick<SpawnRequest, 'walker' | 'root' | 'input'>,
    work: () => Promise<T>,
  ): Promise<T> {
    let isLate = false;
    const before = this.#last;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        isLate = true;
        fail(heldUp(request.root, `'${this.#writer}', which writes and has not ended`, request.input));
      }, LIMITS.heldWait.default);
      this.#last = before.then(async () => {
        clearTimeout(timer);
        if (isLate) return;
        this.#writer = request.walker;
        this.begins(id);
        await Promise.resolve().then(work).then(done, fail);
      });
    });
  }
}

/** The graphs of a side thread: one per version, over stores that the history's thread has open. */
class SideGraphs {
  readonly #stores: FarStores;
  readonly #graphs = new Map<number, Promise<OpenGraph>>();

  /** @param loaded archetypes and arrivals of the user's own walkers. */
  constructor(
    private readonly home: string,
    private readonly loaded: Pick<LoadedWalkers, 'archetypes' | 'arrivals'>,
    port: MessagePort,
  ) {
    this.#stores = new FarStores(port, (version) => {
      const graph = this.#graphs.get(version);
      this.#graphs.delete(version);
      void graph?.then((one) => one.close()).catch(() => undefined);
    });
  }

  of(root: string, { version }: Aside): Promise<OpenGraph> {
    const known = this.#graphs.get(version);
    if (known) return known;
    const [derived, durable] = [
      this.#stores.store(version, 'derived'),
      this.#stores.store(version, 'durable'),
    ];
    const stores = { derived, durable };
    // Forced: the history's thread has checked the root already.
    const opening = openEmbedded(root, { ...this.loaded, home: this.home, force: true, stores });
    this.#graphs.set(version, opening);
    opening.catch(() => this.#graphs.delete(version));
    return opening;
  }

  /** A stand-in for `Freshness`: the history's thread has brought the graph up to date already. */
  freshness(graph: OpenGraph, root: string, fresh: FreshState) {
    return {
      before: async () => fresh,
      run: (walker: WalkerType, input: Record<string, unknown>, options: RunOptions) =>
        graph.spawn(walker, null, input as never, options),
      found: (changed: readonly string[]) => {
        if (changed.length > 0) this.#stores.say({ root, changed });
      },
    };
  }

  /** Lets the history's thread record what is due after an answer. */
  due(root: string, due: FollowUp): void {
    this.#stores.say({ root, due });
  }
}

/** Progress that is passed on not more often than somebody can read: every new phase, and its end. */
function steady(send: (progress: Progress) => void, clock: () => number): (progress: Progress) => void {
  let phase = '';
  let sent = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const isNew = progress.phase !== phase;
    const isLast = progress.done === progress.total;
    if (!isNew && !isLast && clock() - sent < INTERVAL) return;
    phase = progress.phase;
    sent = clock();
    send(progress);
  };
}
