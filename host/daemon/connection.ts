import type { Socket } from 'node:net';
import { CodewalkError, type ErrorCode, LIMITS, toCodewalkError } from '../../schema/index.js';
import type { SpawnOptions } from '../host.js';
import type { HookAsk } from './hook-desk.js';
import { type Hello, onLines } from './lines.js';
import { type ClientLine, clientLine } from './protocol.js';

/** What a daemon does for its clients; answers are JSON text. */
export interface Service {
  readonly hello: Hello;
  spawn(
    request: Extract<ClientLine, { readonly spawn: unknown }>['spawn'],
    options: SpawnOptions,
  ): Promise<string>;
  hook(ask: HookAsk, signal: AbortSignal): Promise<string>;
  describe(folders: readonly string[], deadlineMs: number | null): Promise<string>;
  release(root: string): Promise<string>;
  backup(root: string): Promise<string>;
  status(): Promise<string>;
  drain(): Promise<string>;
  /** Resolves when the answer may be sent; what is left ends after that. */
  stop(): Promise<string>;
  retire(): Promise<string>;
  /** Whether it takes no new work: clients look for its successor. */
  readonly leaving: boolean;
}

/** How a request ends that a daemon which leaves did not finish. */
const BROKEN_OFF: ReadonlySet<ErrorCode> = new Set(['CANCELLED', 'STORE_CLOSED']);

/** Serves one client until it goes. */
export function serveConnection(socket: Socket, service: Service): void {
  const running = new Map<number, AbortController>();
  let greeted = false;
  const send = (text: string) => {
    if (socket.writable) socket.write(`${text}\n`);
  };
  const fail = (id: number, thrown: unknown) =>
    send(`{"id":${id},"error":${JSON.stringify(toCodewalkError(thrown).toBody())}}`);

  const perform = async (line: Exclude<ClientLine, { readonly cancel: true }>, abort: AbortController) => {
    if ('spawn' in line)
      return service.spawn(line.spawn, {
        signal: abort.signal,
        onProgress: (progress) => send(JSON.stringify({ id: line.id, progress })),
        onPrint: (printed) => send(JSON.stringify({ id: line.id, printed })),
      });
    if ('hook' in line) return service.hook(line.hook, abort.signal);
    if ('describe' in line) return service.describe(line.describe, line.deadlineMs);
    if ('release' in line) return service.release(line.release);
    if ('backup' in line) return service.backup(line.backup);
    if ('drain' in line) return service.drain();
    if ('stop' in line) return service.stop();
    return 'retire' in line ? service.retire() : service.status();
  };

  const hear = async (text: string) => {
    if (!greeted) {
      greeted = true;
      send(JSON.stringify({ hello: service.hello }));
      return;
    }
    let line: ClientLine;
    try {
      line = clientLine(text);
    } catch (thrown) {
      fail(idIn(text), thrown);
      return;
    }
    const { id } = line;
    if ('cancel' in line) {
      running.get(id)?.abort();
      return;
    }
    const forSuccessor = () => send(`{"id":${id},"leaving":true}`);
    if (service.leaving && ('spawn' in line || 'describe' in line || 'backup' in line || 'drain' in line)) {
      forSuccessor();
      return;
    }
    if (running.size >= LIMITS.clientQueue.max) {
      fail(id, busy(running.size));
      return;
    }
    const abort = new AbortController();
    running.set(id, abort);
    try {
      send(`{"id":${id},"answer":${await perform(line, abort)}}`);
    } catch (thrown) {
      // What it left in the journal, and what its end broke off, is the successor's.
      const brokenOff = !abort.signal.aborted && BROKEN_OFF.has(toCodewalkError(thrown).code);
      if (service.leaving && ('drain' in line || brokenOff)) forSuccessor();
      else fail(id, thrown);
    } finally {
      running.delete(id);
    }
  };

  onLines(socket, (text) => void hear(text));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const abort of running.values()) abort.abort();
  });
}

function busy(count: number): CodewalkError {
  return new CodewalkError('BUSY', `${count} requests of this client have no answer yet`, {
    retryAfterMs: LIMITS.retryAfter.default,
    suggestion: 'Wait for some of them.',
  });
}

/** The id of a line that is no request, so that whoever sent it is told; 0 where it has none. */
function idIn(text: string): number {
  return Number(/"id":\s*(\d{1,15})\b/u.exec(text.slice(0, 200))?.[1] ?? 0);
}
