import { z } from 'zod';
import { LIMITS } from '../../schema/index.js';
import type { Agents } from '../agents.js';
import { EventRoots } from '../journal/event-root.js';
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
  /** The folder of all graphs. */
  readonly home: string;
  readonly agents: Agents;
  /** Runs the walker `hook_answer`, once the journal is taken in; answers with the JSON text of a `Spawned`. */
  readonly spawn: Service['spawn'];
  /** Told of every project in which an agent asks. */
  readonly heardOf: (root: string) => void;
  /** Whether the index of a project that began by itself is at work. */
  readonly isIndexing: (root: string) => boolean;
}

const Answered = z.object({ body: z.object({ text: z.string().nullable() }) });

/**
 * Answers one hook: what its standard output is to be, empty where there is nothing to say. Never throws: a hook that
 * cannot be answered is silent.
 */
export async function answerHook(
  ask: HookAsk,
  { home, agents, spawn, heardOf, isIndexing }: HookDeskOptions,
  signal: AbortSignal,
): Promise<string> {
  try {
    const question = agents.questionOf({ client: ask.client, payload: Buffer.from(ask.payload) });
    if (question === null) return '';
    // By the rules of the journal: where nothing is recorded nothing is said either.
    const verdict = new EventRoots({ home, surroundings: processSurroundings() }).of({
      client: ask.client,
      place: ask.place,
      path: ask.path,
    });
    if (typeof verdict === 'string' || 'declined' in verdict) return '';
    const { root } = verdict;
    heardOf(root);
    const input = { ...question.input, indexing: isIndexing(root) };
    const limits = { deadlineMs: LIMITS.hookAnswer.default };
    const answer = await spawn({ walker: 'hook_answer', root, input, limits }, { signal });
    const { text } = Answered.parse(JSON.parse(answer)).body;
    return text === null || text === '' ? '' : question.wrap(text);
  } catch {
    return '';
  }
}
