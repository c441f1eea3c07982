import { batch, computed, effect, signal } from '@preact/signals';
import type { Answer, Failure, Part, ProjectInfo, Stated } from './answers.js';
import {
  askProject,
  askView,
  askWalker,
  failureOf,
  followChat,
  isFixed,
  openEvents,
  Refused,
  Unreachable,
} from './api.js';
import { go, isView, keyOf, type Place, place } from './router.js';

/** Milliseconds that the last view stays while the next one loads: shorter than a reader sees, and nothing flashes. */
const LINGERS = 250;
/** Milliseconds between two tries to reach a server that is gone. */
const RETRY = 2000;
/** Milliseconds for which changes are gathered before a view is asked for again. */
const GATHER = 250;
/** Milliseconds that progress lasts before it is shown, and for which it stays without another word. */
const PROGRESS = { shows: 800, stays: 2500 };
/** Answers that are stored for back and forward. */
const MOST_ANSWERS = 30;

/** What is shown: of which place, and its answers; neither an answer nor a failure: it is being loaded. */
export interface Shown {
  readonly place: Place;
  readonly answer: Answer | null;
  readonly failure: Failure | null;
}

/** What the page shows. */
export const shown = signal<Shown>({ place: place.peek(), answer: null, failure: null });
/** The project, once it is known. */
export const project = signal<ProjectInfo | null>(null);
/** Whether the server answers. */
export const isReachable = signal(true);
/** What changed since the view was opened, in a word for those who cannot see it change. */
export const notice = signal('');
/** Why the graph does not follow the files at present; empty: it does. */
export const liveFailure = signal('');
/** How far an index is; null: none runs. */
export const progress = signal<{ phase: string; done: number; total: number } | null>(null);
/** Files that are not read in full yet, as the answers that are shown say. */
export const pending = computed(() => {
  const counts = Object.values(shown.value.answer?.parts ?? {}).map((part) =>
    'body' in part ? ((part.body as Stated).state?.pending ?? 0) : 0,
  );
  return Math.max(0, missing.value, ...counts);
});
/** The same as {@link askPending} was answered: what is not found says nothing of it. */
const missing = signal(0);

/** Asks whether files are not read yet: what is not in the graph may be so soon. */
export async function askPending(): Promise<void> {
  if (isFixed) return;
  try {
    const { state } = await askWalker<Stated>('graph_stats', {});
    missing.value = state?.pending ?? 0;
  } catch {
    missing.value = 0;
  }
}

/** Counts up when the graph changed: what asks for itself asks again. */
export const changes = signal(0);

const asking = signal(0);
const isLoading = signal(true);
/** Whether something is being asked for that the reader waits for. */
export const isBusy = computed(() => isLoading.value || asking.value > 0);

const answers = new Map<string, Answer>();
let request = new AbortController();

/** Marks the page as busy while something is asked for. */
export async function whileBusy<T>(run: () => Promise<T>): Promise<T> {
  asking.value++;
  try {
    return await run();
  } finally {
    asking.value--;
  }
}

/** Shows each place that the reader goes to, and follows what changes. Call it once. */
export function startSession(): void {
  void loadProject();
  effect(() => void load(place.value));
  if (!isFixed) listenWhileVisible();
  followChat((path) => go(`#/${path}`));
}

/** Something changed since the answer that is shown, or that is being loaded, was asked for. */
let isStale = false;
let refreshing: Promise<void> | null = null;

/** Asks for the present view again, and shows what is another; a view that is being loaded is asked for again after that. */
export async function refresh(): Promise<void> {
  isStale = true;
  if (isLoading.peek()) return;
  // One at a time: answers come in the order of the questions, and a fast series of changes stops none of them.
  refreshing ??= refreshWhileStale();
  await refreshing;
}

async function refreshWhileStale(): Promise<void> {
  try {
    while (isStale && !isLoading.peek()) {
      isStale = false;
      await refreshOnce();
    }
  } finally {
    refreshing = null;
  }
}

async function refreshOnce(): Promise<void> {
  const { place: at, answer: before } = shown.peek();
  // A query may take long: it runs when the reader asks for it.
  if (at.entry !== place.peek().entry || at.view === 'query') return;
  try {
    const answer = await answerOf(at, request.signal);
    store(at.path, answer);
    // The revision alone changes nothing that can be seen.
    if (sameParts(before, answer) || shown.peek().place !== at) return;
    batch(() => {
      shown.value = { place: at, answer, failure: null };
      notice.value = `Updated at ${new Date().toLocaleTimeString('en-GB')}`;
    });
  } catch (thrown) {
    if (thrown instanceof Unreachable) lost();
  }
}

async function load(at: Place): Promise<void> {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  isStale = false;
  const known = answers.get(at.path);
  if (known && at.isReturn) {
    batch(() => {
      shown.value = { place: at, answer: known, failure: null };
      isLoading.value = false;
      notice.value = '';
    });
    return void refresh();
  }
  if (!isView(at.view)) return settle(at, { answer: null, failure: null });
  isLoading.value = true;
  const waiting = setTimeout(() => {
    // The focus may be in a view that is asked for something else.
    if (keyOf(shown.peek().place) !== keyOf(at)) shown.value = { place: at, answer: null, failure: null };
  }, LINGERS);
  try {
    const answer = await answerOf(at, signal);
    if (signal.aborted) return;
    store(at.path, answer);
    settle(at, { answer, failure: null });
  } catch (thrown) {
    if (signal.aborted) return;
    if (thrown instanceof Unreachable) lost();
    else settle(at, { answer: null, failure: failureOf(thrown) });
  } finally {
    clearTimeout(waiting);
  }
}

/** What a view shows: its answers, and what its address asks as a query or of a walker. */
async function answerOf(at: Place, signal: AbortSignal): Promise<Answer> {
  const { path, view, query } = at;
  const answer = await askView(path, signal);
  if (view !== 'query' || isFixed) return answer;
  const [text, walker, input] = ['q', 'walker', 'input'].map((name) => query.get(name));
  const parts = { ...answer.parts };
  if (text) parts.cypher = await askPart('query_cypher', { query: text }, signal);
  if (walker && input) parts.walker = await askPart(walker, inputIn(input), signal);
  return { ...answer, parts };
}

async function askPart(walker: string, input: object, signal: AbortSignal): Promise<Part<unknown>> {
  try {
    return { body: await askWalker(walker, input, { signal }) };
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    return { error: thrown.failure };
  }
}

/** An input that stands in an address; one that is no object is as good as none. */
export function inputIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function settle(at: Place, what: Omit<Shown, 'place'>): void {
  batch(() => {
    shown.value = { place: at, ...what };
    isLoading.value = false;
    missing.value = 0;
    notice.value = '';
  });
  if (isStale) void refresh();
}

function store(path: string, answer: Answer): void {
  answers.delete(path);
  answers.set(path, answer);
  for (const oldest of answers.keys()) {
    if (answers.size <= MOST_ANSWERS) break;
    answers.delete(oldest);
  }
}

/** Whether two answers show the same: what says how long it took, or of which revision it is, does not count. */
function sameParts(before: Answer | null, after: Answer): boolean {
  const without = (name: string, value: unknown) =>
    name === 'execution_time_ms' || name === 'revision' ? undefined : value;
  const text = (answer: Answer | null) => JSON.stringify(answer?.parts ?? null, without);
  return text(before) === text(after);
}

async function loadProject(): Promise<void> {
  try {
    project.value = await askProject();
  } catch (thrown) {
    if (thrown instanceof Unreachable) setTimeout(() => void loadProject(), RETRY);
  }
}

/** Says that the server is gone, and tries until it answers. */
function lost(): void {
  if (!isReachable.peek()) return;
  isReachable.value = false;
  const retry = async () => {
    try {
      project.value = await askProject();
      isReachable.value = true;
      changes.value++;
      // A browser gives a stream up where the server answered with an error.
      if (events?.readyState === EventSource.CLOSED) listen();
      if (shown.peek().answer === null || isLoading.peek()) void load(place.peek());
      else void refresh();
    } catch (thrown) {
      if (thrown instanceof Unreachable) setTimeout(() => void retry(), RETRY);
      else {
        // Another server stands there now, which has another token.
        events?.close();
        isReachable.value = true;
        settle(place.peek(), { answer: null, failure: failureOf(thrown) });
      }
    }
  };
  setTimeout(() => void retry(), RETRY);
}

let events: EventSource | null = null;

/** A browser opens few connections to one server, for all its tabs: hidden ones hold none, and catch up when they are seen. */
function listenWhileVisible(): void {
  listen();
  document.addEventListener('visibilitychange', () => {
    listen();
    if (document.hidden) return;
    changes.value++;
    void refresh();
  });
}

function listen(): void {
  events?.close();
  if (document.hidden) return;
  events = openEvents();
  let revision: number | null = null;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let began = 0;
  let silent: ReturnType<typeof setTimeout> | undefined;
  const onChange = () => {
    clearTimeout(gathering);
    gathering = setTimeout(() => {
      // It catches up when it is seen.
      if (document.hidden) return;
      changes.value++;
      void refresh();
    }, GATHER);
  };
  events.addEventListener('revision', ({ data }) => {
    const received: { revision: number } = JSON.parse(data);
    liveFailure.value = '';
    // The first one may be what is shown.
    const known = revision ?? shown.peek().answer?.revision ?? null;
    if (known !== null && received.revision !== known) onChange();
    revision = received.revision;
  });
  events.addEventListener('progress', ({ data }) => {
    if (progress.peek() === null && began === 0) began = Date.now();
    if (Date.now() - began >= PROGRESS.shows) progress.value = JSON.parse(data);
    clearTimeout(silent);
    silent = setTimeout(() => {
      began = 0;
      if (progress.peek() !== null) onChange();
      progress.value = null;
    }, PROGRESS.stays);
  });
  events.addEventListener('failed', ({ data }) => {
    const received: { error: string } = JSON.parse(data);
    liveFailure.value = received.error;
  });
  events.addEventListener('error', lost);
}
