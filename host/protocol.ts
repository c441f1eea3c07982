import { randomUUID } from 'node:crypto';
import { CodewalkError, LIMITS, toolEntry } from '../schema/index.js';
import type { MadeBackup } from './backups/make-backup.js';
import type { Ask, Host, Spawned, SpawnOptions, SpawnRequest, WalkerSignature } from './host.js';
import { timeSortableIds } from './ids.js';

/*
 * How requests cross threads and sockets. Clients load this: it needs no schema.
 */

/** A host that passes on what it is asked: to a thread, or over a socket. */
export abstract class TransportHost implements Host {
  /** Answers with plain data. @throws CodewalkError */
  protected abstract ask(ask: Ask, options?: SpawnOptions): Promise<unknown>;
  abstract release(root: string): Promise<void>;
  abstract close(): Promise<void>;

  async spawn(request: SpawnRequest, options?: SpawnOptions): Promise<Spawned> {
    return (await this.ask({ spawn: request }, options)) as Spawned;
  }

  async describe(folders: readonly string[], deadlineMs: number | null): Promise<readonly WalkerSignature[]> {
    return (await this.ask({ describe: folders, deadlineMs })) as readonly WalkerSignature[];
  }

  async backup(root: string): Promise<MadeBackup> {
    return (await this.ask({ backup: root })) as MadeBackup;
  }

  async drain(): Promise<void> {
    await this.ask({ drain: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The walkers whose input may have an `event_id`: an event counts once, however often it is sent. */
const LOGS: ReadonlySet<string> = new Set(['etg_log_event', 'log']);

/** The request with ids, so that it can be sent again after a crash: its own, and that of an event that it logs. */
export function repeatable(request: SpawnRequest): SpawnRequest {
  const named = request.requestId ? request : { ...request, requestId: timeSortableIds(Date.now)() };
  if (!LOGS.has(request.walker) || request.input.event_id !== undefined) return named;
  const input = { ...request.input, event_id: randomUUID() };
  return { ...named, given: request.given ?? request.input, input };
}

/** Whether a request may be sent again when it is not known how far it came: all but those of users' own walkers. */
export function isRepeatable({ walker, input, userWalkers = [] }: SpawnRequest): boolean {
  return userWalkers.length === 0 || toolEntry(walker) !== undefined || input.event_id !== undefined;
}

/**
 * Refuses what is nested so deep that passing it on would end a thread's stack.
 *
 * @throws CodewalkError `INVALID_INPUT` in which `what` names the value.
 */
export function checkNesting(value: unknown, what: string): void {
  const { max } = LIMITS.inputNesting;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max)
      throw new CodewalkError('INVALID_INPUT', `${what} is nested more than ${max} levels deep`, {
        input: value,
        suggestion: 'Give it as a text, or with fewer levels.',
      });
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}
