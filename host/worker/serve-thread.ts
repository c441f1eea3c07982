import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import {
  type FollowUp,
  type Progress,
  Stretches,
  TooLongHere,
  type WalkerType,
} from '../../runtime/index.js';
import { type ErrorCode, LIMITS, toCodewalkError } from '../../schema/index.js';
import { checkedInput, type Refresher, type SpawnPlace, spawnOn } from '../answer.js';
import { absentOrBegun } from '../freshness/freshness.js';
import type { SpawnOptions, SpawnRequest } from '../host.js';
import { insideOf, type OpenGraph, openEmbedded } from '../open-graph.js';
import { isRepeatable } from '../protocol.js';
import { describeWalkers, type LoadedWalkers, ThreadWalkers } from '../user-walkers.js';
import {
  type Aside,
  Claim,
  type FromThread,
  Heartbeat,
  heldUp,
  sharedNow,
  type ThreadAsk,
  type ThreadData,
  type ToThread,
} from './messages.js';
import { type FollowedGraph, OpenGraphs } from './open-graphs.js';
import { RemoteStores } from './remote-stores.js';
import { SideThreads } from './side-threads.js';

/** Milliseconds between two reports of one phase. */
const PROGRESS_MS = 100;
/** Milliseconds that runs get to end when the thread closes, and between two looks whether they have. */
const FINISHING_MS = 1000;
const LOOK_MS = 10;
/** Milliseconds between two beats. */
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

/** Runs requests on graphs until it is asked to close. */
export async function serveThread(port: MessagePort, data: ThreadData): Promise<void> {
  const { home } = data;
  const heartbeat = new Heartbeat(data.heartbeat);
  const begin = (id: number) => heartbeat.set('running', id);
  setInterval(() => {
    heartbeat.set('heapMib', heapMib());
    heartbeat.add('beats', 1);
  }, BEAT_MS).unref();
  const say = (message: FromThread) => port.postMessage(message);
  // What users' walkers print goes to the caller of the run.
  const print = (chunk: Uint8Array | string) => {
    const printed = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    say({ id: heartbeat.get('running'), printed });
    return true;
  };
  process.stdout.write = print;
  process.stderr.write = print;
  const walkers = await ThreadWalkers.load(data.userWalkers);
  const onIndexing = (change: 1 | -1) => {
    heartbeat.add('indexing', change);
    heartbeat.add('fills', 1);
  };
  const graphs = new OpenGraphs({ home, loaded: walkers.all, onIndexing });
  const versions = data.stores ? new VersionGraphs(home, walkers.all, data.stores) : null;
  const running = new Map<number, Running>();
  const writers = new Writers(begin);
  let isClosing = false;
  let lastFollowUp = 0;

  /** Runs what is due after an answer: nobody waits for it, but closing does. */
  const afterwards = (root: string, due: FollowUp, graph: OpenGraph) => {
    const work = () => graph.spawn(due.walker, null, { ...due.input });
    const id = --lastFollowUp;
    running.set(id, { abort: new AbortController(), stays: true, inSteps: false });
    setImmediate(async () => {
      await writers.inTurn(id, { walker: due.walker, root, input: {} }, work).catch(() => undefined);
      running.delete(id);
      void graphs.settled(root);
    });
  };

  const sides: SideThreads | null = data.hasSides
    ? new SideThreads({
        home,
        script: new URL('./graph.worker.js', import.meta.url),
        isBusy: () => running.size > (sides?.runs ?? 0),
        onReport: (report) => {
          const pass = (opened: FollowedGraph | null) => {
            // Unless it was closed in the meantime.
            if (opened && 'changed' in report) opened.freshness.found(report.changed);
            else if (opened && 'due' in report) afterwards(report.root, report.due, opened.graph);
          };
          graphs
            .known(report.root)
            .then(pass)
            .catch(() => undefined);
        },
      })
    : null;
  const stretches = new Stretches(LIMITS.sideMemory.max, processorClock());

  /** Where a request runs in this thread. */
  const placeOf = (request: SpawnRequest, walker: WalkerType, aside: Aside | undefined): SpawnPlace => {
    const { root, userWalkers = [], force = false } = request;
    const common = { home, walkers: walkers.registry(userWalkers) };
    if (versions && aside)
      return {
        ...common,
        open: () => versions.open(root, aside),
        afterwards: (due) => versions.stores.report({ root, due }),
      };
    return {
      ...common,
      open: () => graphs.of(root, () => absentOrBegun(walker, root, home), force),
      afterwards: (due, graph) => afterwards(root, due, graph),
    };
  };

  const run = async (id: number, request: SpawnRequest, claim: Claim, aside?: Aside): Promise<string> => {
    const walker = walkers.registry(request.userWalkers ?? []).get(request.walker);
    const inSteps = walker.access === 'steps';
    const abort = new AbortController();
    running.set(id, { abort, stays: inSteps && request.detached === true, inSteps });
    if (inSteps) heartbeat.add('fills', 1);
    if (walker.access === 'write' && !isRepeatable(request)) claim.once();
    begin(id);
    const place = placeOf(request, walker, aside);
    const isOwn = walkers.isOwn(walker);
    let mayMove = sides !== null;
    const { sharing, end } = stretches.share(() =>
      mayMove && sides ? sides.graceMs(running.size) : Number.POSITIVE_INFINITY,
    );
    const options: SpawnOptions = {
      signal: abort.signal,
      onAbility: () => begin(id),
      onProgress: throttled((progress) => say({ id, progress })),
    };
    const elapsedMs = aside ? Math.max(0, sharedNow() - aside.began) : 0;
    const here = () => spawnOn(place, request, { ...options, sharing, elapsedMs });
    /** Null where there is no graph on disk, so that it cannot run in a side thread; `here` reports why. */
    const elsewhere = async (elapsedMs: number): Promise<string | null> => {
      const opened = await place.open().catch(() => null);
      if (sides === null || opened === null || !insideOf(opened.graph).versions) return null;
      const fresh = await opened.freshness.before(walker, options);
      say({ id, aside: true });
      const onPrint = (printed: string) => say({ id, printed });
      return sides.run({ request, graph: opened.graph, fresh, elapsedMs }, isOwn, { ...options, onPrint });
    };
    try {
      if (sides?.takes(request, walker, isOwn)) {
        // What is wrong with the input is reported before anything is opened.
        checkedInput(walker, request);
        const answer = await elsewhere(0);
        if (answer !== null) return answer;
      }
      return JSON.stringify(await (walker.access === 'write' ? writers.inTurn(id, request, here) : here()));
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

  const answerTo = async (id: number, ask: ThreadAsk, claim: Claim): Promise<string> => {
    if ('spawn' in ask) return run(id, ask.spawn, claim, ask.aside);
    if ('backup' in ask) return JSON.stringify(await graphs.backup(ask.backup));
    if ('status' in ask) return JSON.stringify(await graphs.status());
    begin(id);
    return JSON.stringify(await describeWalkers(ask.describe, ask.deadlineMs));
  };

  const close = async () => {
    isClosing = true;
    // Long work goes on elsewhere from its last commit; what is short comes to its end.
    for (const { abort, inSteps } of running.values()) if (inSteps) abort.abort();
    for (let left = FINISHING_MS; running.size > (sides?.runs ?? 0) && left > 0; left -= LOOK_MS)
      await sleep(LOOK_MS);
    await sides?.close();
    await graphs.close();
    port.close();
    process.exit(0);
  };

  port.on('message', async (message: ToThread) => {
    if ('close' in message) return close();
    if ('cancel' in message) {
      const run = running.get(message.cancel);
      if (run && !run.stays) run.abort.abort();
      return;
    }
    if ('open' in message) {
      await graphs.of(message.open, () => 'refused', true).catch(() => undefined);
      // What the thread before this one was about to embed.
      return graphs.settled(message.open);
    }
    const { id, ask } = message;
    const claim = new Claim(message.claim);
    if (!claim.begin()) return;
    try {
      say({ id, answer: await answerTo(id, ask, claim) });
    } catch (thrown) {
      const error = toCodewalkError(thrown);
      const stack = process.env.CODEWALK_DEBUG ? { stack: stackOf(error) } : {};
      // What closing cut short is asked again, of the next thread; not what hung in a side thread.
      if (!isClosing || HUNG.has(error.code))
        say({ id, error: JSON.stringify({ ...error.toBody(), ...stack }) });
    }
  });
  say({ ready: true });
}

/** The processor time of this thread where the system reports it: on a busy machine the clock says little about work. */
function processorClock(): (() => number) | undefined {
  const read = () => Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'utf8'), 10) / 1e6;
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

function stackOf(error: Error): string {
  const { cause } = error;
  return `${error.stack ?? ''}${cause instanceof Error ? `\ncaused by ${stackOf(cause)}` : ''}`;
}

/** Writers of a graph come one after the other: at once they would only lose conflicts to each other. */
class Writers {
  #last: Promise<unknown> = Promise.resolve();
  #writer = '';

  /** @param onTurn Called with the run whose turn it is. */
  constructor(private readonly onTurn: (id: number) => void) {}

  /** @throws CodewalkError `BUSY` when the turn does not come in time, for one that waits for what never comes. */
  inTurn<T>(
    id: number,
    request: Pick<SpawnRequest, 'walker' | 'root' | 'input'>,
    work: () => Promise<T>,
  ): Promise<T> {
    let isLate = false;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        isLate = true;
        fail(heldUp(request.root, `'${this.#writer}', which writes and has not ended`, request.input));
      }, LIMITS.heldWait.default);
      this.#last = this.#last.then(async () => {
        clearTimeout(timer);
        if (isLate) return;
        this.#writer = request.walker;
        this.onTurn(id);
        await Promise.resolve().then(work).then(done, fail);
      });
    });
  }
}

/** The graphs of a side thread: one per version, over stores that the history's thread has open. */
class VersionGraphs {
  readonly stores: RemoteStores;
  readonly #graphs = new Map<string, Promise<OpenGraph>>();

  constructor(
    private readonly home: string,
    private readonly loaded: Pick<LoadedWalkers, 'archetypes' | 'arrivals'>,
    port: MessagePort,
  ) {
    this.stores = new RemoteStores(port, (version) => {
      const graph = this.#graphs.get(version);
      this.#graphs.delete(version);
      void graph?.then((one) => one.close()).catch(() => undefined);
    });
  }

  /** The history's thread has checked the root, and brought the graph up to date already. */
  async open(root: string, { version, fresh }: Aside): Promise<{ graph: OpenGraph; freshness: Refresher }> {
    const graph = await this.#graphOf(root, version);
    const freshness: Refresher = {
      before: async () => fresh,
      run: (walker, input, options) => graph.spawn(walker, null, input as never, options),
      found: (changed) => {
        if (changed.length > 0) this.stores.report({ root, changed });
      },
    };
    return { graph, freshness };
  }

  #graphOf(root: string, version: string): Promise<OpenGraph> {
    const known = this.#graphs.get(version);
    if (known) return known;
    const stores = {
      derived: this.stores.store(version, 'derived'),
      durable: this.stores.store(version, 'durable'),
    };
    const opening = openEmbedded(root, { ...this.loaded, home: this.home, force: true, stores });
    this.#graphs.set(version, opening);
    opening.catch(() => this.#graphs.delete(version));
    return opening;
  }
}

/** Progress that is passed on not more often than somebody can read: every new phase, and its end. */
function throttled(send: (progress: Progress) => void): (progress: Progress) => void {
  let phase = '';
  let sent = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const isDue = progress.phase !== phase || progress.done === progress.total;
    if (!isDue && performance.now() - sent < PROGRESS_MS) return;
    phase = progress.phase;
    sent = performance.now();
    send(progress);
  };
}
