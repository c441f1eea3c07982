import type { Socket } from 'node:net';
import { z } from 'zod';
import { CodewalkError, type ErrorCode, issuesText, LIMITS, toCodewalkError } from '../../schema/index.js';
import { Ask, type SpawnOptions } from '../host.js';
import { checkNesting } from '../protocol.js';
import { type Hello, onLines } from './wire.js';

/** What a daemon does for its clients. */
export interface Service {
  readonly hello: Hello;
  /** Answers with JSON text. */
  answer(ask: Ask, options: SpawnOptions & { readonly signal: AbortSignal }): Promise<string>;
  /** Whether it takes no new work: clients look for its successor. */
  readonly isLeaving: boolean;
}

/** One line of a client: an {@link Ask} with an id, or that one is taken back. */
const Id = z.object({ id: z.number().int().nonnegative() });
const ClientLine = z.intersection(Id, z.union([z.object({ cancel: z.literal(true) }), Ask]));
type ClientLine = z.infer<typeof ClientLine>;

/** How a request ends that a daemon which leaves did not finish. */
const BROKEN_OFF: ReadonlySet<ErrorCode> = new Set(['CANCELLED', 'STORE_CLOSED']);

/** Serves one client until it goes. */
export function serveConnection(socket: Socket, service: Service): void {
  const running = new Map<number, AbortController>();
  let isGreeted = false;
  const send = (line: string) => {
    if (socket.writable) socket.write(`${line}\n`);
  };
  const fail = (id: number, thrown: unknown) =>
    send(JSON.stringify({ id, error: toCodewalkError(thrown).toBody() }));
  const leaveToSuccessor = (id: number) => send(`{"id":${id},"leaving":true}`);

  const perform = async ({ id, ...ask }: { readonly id: number } & Ask) => {
    const isWork = 'spawn' in ask || 'describe' in ask || 'backup' in ask || 'drain' in ask;
    if (service.isLeaving && isWork) return leaveToSuccessor(id);
    if (running.size >= LIMITS.clientQueue.max) return fail(id, busy(running.size));
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const answer = await service.answer(ask as Ask, {
        signal: abort.signal,
        onProgress: (progress) => send(JSON.stringify({ id, progress })),
        onPrint: (printed) => send(JSON.stringify({ id, printed })),
      });
      send(`{"id":${id},"answer":${answer}}`);
    } catch (thrown) {
      // What it left in the journal, and what its end broke off, is the successor's.
      const isBrokenOff = !abort.signal.aborted && BROKEN_OFF.has(toCodewalkError(thrown).code);
      if (service.isLeaving && ('drain' in ask || isBrokenOff)) leaveToSuccessor(id);
      else fail(id, thrown);
    } finally {
      running.delete(id);
    }
  };

  onLines(socket, (received) => {
    if (!isGreeted) {
      isGreeted = true;
      send(JSON.stringify({ hello: service.hello }));
      return;
    }
    try {
      const line = clientLine(received);
      if ('cancel' in line) running.get(line.id)?.abort();
      else void perform(line);
    } catch (thrown) {
      // By its id where it has one, so that its sender learns of it.
      fail(Number(/"id":\s*(\d{1,15})\b/u.exec(received.slice(0, 200))?.[1] ?? 0), thrown);
    }
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const abort of running.values()) abort.abort();
  });
}

/** @throws CodewalkError `INVALID_INPUT` when it is no request. */
function clientLine(received: string): ClientLine {
  let value: unknown;
  try {
    value = JSON.parse(received);
  } catch (cause) {
    const input = received.slice(0, 200);
    throw new CodewalkError('INVALID_INPUT', 'a line to the daemon is not JSON', { input, cause });
  }
  checkNesting(value, 'a line to the daemon');
  const { data, error } = ClientLine.safeParse(value);
  if (error)
    throw new CodewalkError('INVALID_INPUT', `a line to the daemon: ${issuesText(error)}`, { input: value });
  return data;
}

function busy(count: number): CodewalkError {
  return new CodewalkError('BUSY', `${count} requests of this client have no answer yet`, {
    retryAfterMs: LIMITS.retryAfter.default,
    suggestion: 'Wait for some of them.',
  });
}
