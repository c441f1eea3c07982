import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../schema/index.js';
import { withinEventTime } from '../../walkers/index.js';
import type { Agents, HookQuestion } from '../agents.js';
import type { HookAsk, Host } from '../host.js';
import type { HookEnd } from '../journal/counters.js';
import { eventRoot, type Ingest, passOn } from '../journal/journal.js';
import { processSurroundings } from '../surroundings.js';
import type { AutoIndex } from './auto-index.js';

/** What answers hooks. */
export interface HookServiceOptions {
  readonly home: string;
  readonly agents: Agents;
  readonly host: Pick<Host, 'spawn'>;
  /** Takes in what is in the journal, by {@link HookService.ingest}. */
  readonly drain: () => Promise<unknown>;
  /** Learns where agents work, and which files changed or are about to be asked about. */
  readonly autoIndex: Pick<AutoIndex, 'onActivity' | 'refresh' | 'isIndexing'>;
  /** Called with how each hook ended that asked something of a project of which something is recorded. */
  readonly onEnd: (client: string, end: HookEnd) => void;
}

/** A question that waits for a batch of events of its project. */
interface Waiting {
  readonly root: string;
  readonly question: HookQuestion['input'];
  readonly answered: (text: Promise<string | null>) => void;
}

/** Milliseconds that a hook waits for what was recorded before it asked. */
const BACKLOG_MS = 1000;

/** Moments after which an agent may read what somebody changed, this session or the one before. */
const REFRESHING: ReadonlySet<unknown> = new Set(['session_start', 'prompt', 'edited']);

/** What the person at the agent is shown. The agent is not: it cannot change settings. */
const INDEXING =
  "Codewalk is indexing this project in the background, so that your agent can ask about its code. 'codewalk config set auto_index false' switches that off.";

/**
 * Answers the hooks of agents. A question goes with the events that its hook has just recorded: one run of one walker
 * records them and answers. Those of one session are answered one after the other, so that two at once never say the same.
 */
export class HookService {
  #waiting: Waiting[] = [];
  /** The last answer of each session. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** Sessions whose person was shown {@link INDEXING}. */
  readonly #noticed = new Set<string>();

  constructor(private readonly options: HookServiceOptions) {}

  /** Records events, and answers a hook that waits for those of this root. */
  readonly ingest: Ingest = async (root, events) => {
    const next = this.#waiting.find((one) => one.root === root);
    const pass = this.#pass(root, events, next?.question);
    if (next) this.#answer(next, pass);
    return (await pass).outcomes;
  };

  /**
   * Answers one hook: what its standard output is to be, empty where there is nothing to say. Never throws: a hook that
   * cannot be answered is silent.
   *
   * @param signal Aborted when the hook has gone: then its answer is given at the session's next moment (C-03).
   */
  async answer({ client, place, path, payload }: HookAsk, signal: AbortSignal): Promise<string> {
    const { home, agents, autoIndex, onEnd } = this.options;
    let asked = false;
    const end = (how: HookEnd, output: string) => {
      if (asked) onEnd(client, signal.aborted ? 'late' : how);
      return signal.aborted ? '' : output;
    };
    try {
      const raw = { client, payload: Buffer.from(payload) };
      const question = withinEventTime(() => agents.questionOf(raw))?.done ?? null;
      if (question === null) return '';
      // By the rules of the journal: where nothing is recorded nothing is said either.
      const verdict = eventRoot({ place, path }, home, processSurroundings());
      if (typeof verdict === 'string' || 'declined' in verdict) return '';
      asked = true;
      const { root } = verdict;
      autoIndex.onActivity(root);
      const session = `${root}\0${question.input.session_id}`;
      const text = (await this.#inTurn(session, () => this.#textFor(root, question.input, signal))) || null;
      const notice = signal.aborted ? null : this.#noticeFor(session, root, question.input.moment);
      const output = text === null && notice === null ? '' : question.wrap({ text, notice });
      return end(text === null ? 'silent' : 'answered', output);
    } catch {
      return end('failed', '');
    }
  }

  async #textFor(root: string, question: HookQuestion['input'], signal: AbortSignal): Promise<string | null> {
    const { host, autoIndex, drain } = this.options;
    const text = await new Promise<string | null>((answered) => {
      const waiting = { root, question, answered };
      this.#waiting.push(waiting);
      // Where its event was taken in before, or cannot be, it is answered by itself.
      void Promise.race([drain(), sleep(BACKLOG_MS)])
        .catch(() => undefined)
        .then(() => {
          if (this.#waiting.includes(waiting)) this.#answer(waiting, this.#pass(root, [], question));
        });
    });
    if (REFRESHING.has(question.moment)) autoIndex.refresh(root);
    if (text !== null && signal.aborted) {
      const late = { session_id: question.session_id, text };
      await host.spawn({ walker: 'trace_ingest', root, input: { events: [], late } });
    }
    return text;
  }

  #pass(root: string, events: Parameters<Ingest>[1], question?: HookQuestion['input']) {
    // The hook does not wait as long, and goes. What was read for it is in memory then: the next one is answered.
    const limits = question ? { limits: { deadlineMs: LIMITS.hookWork.max } } : {};
    return passOn(this.options.host, { root, ...limits }, { events, ...(question ? { question } : {}) });
  }

  #answer(waiting: Waiting, pass: ReturnType<typeof passOn>): void {
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting.answered(pass.then(({ text }) => text));
  }

  /** What the person is to know, once per session. With a prompt: then somebody is there, and both clients show it. */
  #noticeFor(session: string, root: string, moment: unknown): string | null {
    const { autoIndex } = this.options;
    if (moment !== 'prompt' || this.#noticed.has(session) || !autoIndex.isIndexing(root)) return null;
    this.#noticed.add(session);
    return INDEXING;
  }

  /** Runs work after all earlier work of a session. */
  #inTurn<T>(session: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(session) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    this.#last.set(session, turn);
    const forget = () => this.#last.get(session) === turn && this.#last.delete(session);
    turn.then(forget, forget);
    return turn;
  }
}
