import { z } from 'zod';
import { LIMITS } from '../../schema/index.js';
import { withinEventTime } from '../../walkers/index.js';
import type { Agents, HookQuestion } from '../agents.js';
import { EventRoots } from '../journal/event-root.js';
import type { HookEnd } from '../journal/hook-counts.js';
import { processSurroundings } from '../surroundings.js';
import type { Service } from './connection.js';

/** What a hook sends: the payload that its client gave it, and where it was run. */
export interface HookAsk {
  readonly client: string;
  readonly payload: string;
  /** As in the label of a journal's file. */
  readonly place: 'root' | 'cwd';
  /** Absolute. */
  readonly path: string;
}

/** What answers hooks. */
export interface HookDeskOptions {
  readonly home: string;
  readonly agents: Agents;
  /** Runs the walker `hook_answer`, once the journal is taken in; answers with the JSON text of a `Spawned`. */
  readonly spawn: Service['spawn'];
  /** Called for every project in which an agent asks. */
  readonly heardOf: (root: string) => void;
  /** Called when files changed, or are about to be asked about. */
  readonly refresh: (root: string) => void;
  /** Whether a project is being indexed without anybody having asked for it. */
  readonly isIndexing: (root: string) => boolean;
  /** Called with how each hook ended that asked something of a project of which something is recorded. */
  readonly onEnd: (client: string, end: HookEnd) => void;
}

const Answered = z.object({
  body: z.object({
    text: z.string().nullable(),
    delivered: z.record(z.string(), z.unknown()).nullable(),
  }),
});

/** Moments after which an agent may read what somebody changed, this session or the one before. */
const REFRESHING: ReadonlySet<unknown> = new Set(['session_start', 'prompt', 'edited']);

/** What the person at the agent is shown. The agent is not: it cannot change settings. */
const INDEXING =
  "Codewalk is indexing this project in the background, so that your agent can ask about its code. 'codewalk config set auto_index false' switches that off.";

/** Answers the hooks of agents: those of one session one after the other, so that two at once never say the same. */
export class HookDesk {
  /** The last answer of each session. */
  readonly #turns = new Map<string, Promise<void>>();
  /** Sessions whose person was shown {@link INDEXING}. */
  readonly #noticed = new Set<string>();

  constructor(private readonly options: HookDeskOptions) {}

  /**
   * Answers one hook: what its standard output is to be, empty where there is nothing to say. Never throws: a hook that
   * cannot be answered is silent.
   *
   * @param signal Aborted when the hook has gone: then its answer is given at the session's next moment (C-03).
   */
  async answer(ask: HookAsk, signal: AbortSignal): Promise<string> {
    const { home, agents, heardOf, onEnd } = this.options;
    let asked = false;
    const end = (how: HookEnd, output = '') => {
      if (asked) onEnd(ask.client, signal.aborted ? 'late' : how);
      return signal.aborted ? '' : output;
    };
    try {
      const payload = Buffer.from(ask.payload);
      const question =
        withinEventTime(() => agents.questionOf({ client: ask.client, payload }))?.done ?? null;
      if (question === null) return '';
      // By the rules of the journal: where nothing is recorded nothing is said either.
      const verdict = new EventRoots({ home, surroundings: processSurroundings() }).of({
        client: ask.client,
        place: ask.place,
        path: ask.path,
      });
      if (typeof verdict === 'string' || 'declined' in verdict) return '';
      asked = true;
      const { root } = verdict;
      heardOf(root);
      return await this.#inTurn(`${root}\0${question.input.session_id}`, (session, done) =>
        this.#answerQuestion(question, {
          root,
          session,
          signal,
          done: (how, output) => done(end(how, output)),
        }),
      );
    } catch {
      return end('failed');
    }
  }

  async #answerQuestion(
    { input, wrap }: HookQuestion,
    at: {
      readonly root: string;
      readonly session: string;
      readonly signal: AbortSignal;
      readonly done: (how: HookEnd, output: string) => void;
    },
  ): Promise<void> {
    const { spawn, refresh } = this.options;
    const { root, session, signal, done } = at;
    // The hook does not wait as long, and goes. What was read for it is in memory then: the next one is answered.
    const limits = { deadlineMs: LIMITS.hookWork.max };
    const answer = await spawn({ walker: 'hook_answer', root, input, limits }, {});
    if (REFRESHING.has(input.moment)) refresh(root);
    const { text, delivered } = Answered.parse(JSON.parse(answer)).body;
    const notice = signal.aborted ? null : this.#noticeFor(session, root, input.moment);
    if (text === null || text === '' || delivered === null)
      return done('silent', notice === null ? '' : wrap({ text: null, notice }));
    const isLate = signal.aborted;
    done('answered', isLate ? '' : wrap({ text, notice }));
    const note = { session_id: input.session_id, ...delivered, late: isLate ? text : null };
    await spawn({ walker: 'hook_delivered', root, input: note }, {});
  }

  /** What the person is to know, once per session. With a prompt: then somebody is there, and both clients show it. */
  #noticeFor(session: string, root: string, moment: unknown): string | null {
    if (moment !== 'prompt' || this.#noticed.has(session) || !this.options.isIndexing(root)) return null;
    this.#noticed.add(session);
    return INDEXING;
  }

  /** Runs work after all earlier work of a session; settles as soon as the work has its output. */
  #inTurn(
    session: string,
    work: (session: string, done: (output: string) => void) => Promise<void>,
  ): Promise<string> {
    return new Promise((done, fail) => {
      const turn = (this.#turns.get(session) ?? Promise.resolve())
        .then(() => work(session, done))
        .catch(fail);
      this.#turns.set(session, turn);
      void turn.then(() => this.#turns.get(session) === turn && this.#turns.delete(session));
    });
  }
}
