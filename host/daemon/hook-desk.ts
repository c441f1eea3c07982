import { z } from 'zod';
import { LIMITS } from '../../schema/index.js';
import { withinEventTime } from '../../walkers/index.js';
import type { Agents } from '../agents.js';
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
  /** Told of every project in which an agent asks. */
  readonly heardOf: (root: string) => void;
  /** Told when files changed, or are about to be asked about. */
  readonly refresh: (root: string) => void;
  /** Told how each hook ended that asked something of a project of which something is recorded. */
  readonly onEnd: (client: string, end: HookEnd) => void;
}

const Answered = z.object({
  body: z.object({
    text: z.string().nullable(),
    delivered: z.record(z.string(), z.unknown()).nullable(),
  }),
});

/** The last answer of each session: two hooks at once must not say the same. */
const turns = new Map<string, Promise<void>>();

/** Runs work after all earlier work of a session; settles as soon as the work has its output. */
function inTurn(session: string, work: (done: (output: string) => void) => Promise<void>): Promise<string> {
  return new Promise((done, fail) => {
    const turn = (turns.get(session) ?? Promise.resolve()).then(() => work(done)).catch(fail);
    turns.set(session, turn);
    void turn.then(() => turns.get(session) === turn && turns.delete(session));
  });
}

/** Moments after which an agent may read what somebody changed, this session or the one before. */
const REFRESHING: ReadonlySet<unknown> = new Set(['session_start', 'prompt', 'edited']);

/**
 * Answers one hook: what its standard output is to be, empty where there is nothing to say. Never throws: a hook that
 * cannot be answered is silent.
 */
export async function answerHook(
  ask: HookAsk,
  { home, agents, spawn, heardOf, refresh, onEnd }: HookDeskOptions,
  signal: AbortSignal,
): Promise<string> {
  let asked = false;
  const ended = (end: HookEnd, output = '') => {
    if (asked) onEnd(ask.client, signal.aborted ? 'late' : end);
    return signal.aborted ? '' : output;
  };
  try {
    const payload = Buffer.from(ask.payload);
    const question = withinEventTime(() => agents.questionOf({ client: ask.client, payload }))?.done ?? null;
    if (question === null) return '';
    // By the rules of the journal: where nothing is recorded nothing is said either.
    const verdict = new EventRoots({ home, surroundings: processSurroundings() }).of({
      client: ask.client,
      place: ask.place,
      path: ask.path,
    });
    if (typeof verdict === 'string' || 'declined' in verdict) return '';
    const { root } = verdict;
    asked = true;
    heardOf(root);
    const { input } = question;
    const session = `${root}\0${input.session_id}`;
    return await inTurn(session, (done) => answerInTurn(done));

    async function answerInTurn(done: (output: string) => void): Promise<void> {
      // The hook does not wait as long, and goes. What was read for it is in memory then: the next one is answered.
      const limits = { deadlineMs: LIMITS.hookWork.max };
      const answer = await spawn({ walker: 'hook_answer', root, input, limits }, {});
      if (REFRESHING.has(input.moment)) refresh(root);
      const { text, delivered } = Answered.parse(JSON.parse(answer)).body;
      if (text === null || text === '' || delivered === null) return done(ended('silent'));
      const isLate = signal.aborted;
      done(ended(isLate ? 'late' : 'answered', isLate || question === null ? '' : question.wrap(text)));
      // What came too late is delivered at the session's next moment (C-03).
      const note = { session_id: input.session_id, ...delivered, late: isLate ? text : null };
      await spawn({ walker: 'hook_delivered', root, input: note }, {});
    }
  } catch {
    return ended('failed');
  }
}
