import { chmodSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodewalkError, toCodewalkError, wholeSettings } from '../../schema/index.js';
import { makeFolder, openLevelStore } from '../../storage/index.js';
import type { Agents } from '../agents.js';
import { settingsFor } from '../config.js';
import { Journal } from '../journal/journal.js';
import { reportsEvents } from '../journal/reporting.js';
import { LocalHost } from '../local/local-host.js';
import { sweepSpool } from '../spool.js';
import { AutoIndex } from './auto-index.js';
import { type Service, serveConnection } from './connection.js';
import { HookService } from './hook-service.js';
import { daemonAddress, ownHello, readRecord, writeRecord } from './wire.js';

/** How a daemon runs. */
export interface DaemonOptions {
  /** The folder of all graphs; made when it is not there. */
  readonly home: string;
  /** What knows the payloads of agents' hooks. */
  readonly agents: Agents;
  /** The script that this is, for its build time. */
  readonly script: URL;
  /** Milliseconds without a request after which it leaves. Default: as configured. */
  readonly idleMs?: number;
}

/** Places that are tried where strangers listen. */
const PLACES = 4;
/** Milliseconds that are waited for a daemon that is just leaving. */
const LOCK_MS = 500;
/** Milliseconds that clients wait for what was recorded before they asked. */
const BACKLOG_MS = 1000;
/** Milliseconds that what is being recorded gets to end when the daemon leaves; else it is recorded by the next one. */
const CLOSING_MS = 500;
/** Milliseconds between two looks at whether it is still needed. */
const LOOK_MS = 500;
/** Milliseconds between two times that how hooks ended is written down. */
const COUNTED_MS = 10_000;

/**
 * Runs the daemon of a home until it is stopped, nobody has asked for anything for a time, or the home vanishes.
 * Where the home has a daemon already there is nothing to do.
 *
 * @throws CodewalkError `DAEMON_FAILED`, `STORE_FULL` when the home cannot be written.
 */
export async function runDaemon({ agents, script, ...options }: DaemonOptions): Promise<void> {
  makeFolder(options.home);
  const home = realpathSync(options.home);
  const { ino } = statSync(home);
  // One that was removed while this started, and made again by the next process, is another home.
  const isHome = () => statSync(home, { throwIfNoEntry: false })?.ino === ino;
  // Held for as long as it lives: the process that holds it is the daemon.
  const lock = await openLevelStore(join(home, 'daemon'), { waitMs: LOCK_MS }).catch((error) => {
    if (toCodewalkError(error).code === 'STORE_LOCKED') return null;
    throw error;
  });
  if (lock === null) return;
  sweepSpool(join(home, 'spool'));
  const started = new Date().toISOString();
  const hello = { ...ownHello(script), pid: process.pid };
  const { idle_minutes, memory_mb } = daemonSettings(home);
  const { idleMs = idle_minutes * 60_000 } = options;
  const host = new LocalHost({ home, memoryBytes: memory_mb * 1024 * 1024, agents, hasSides: true });
  const autoIndex = new AutoIndex(host, home);
  const hooks = new HookService({
    ...{ home, agents, host, autoIndex },
    drain: () => journal.drain(),
    onEnd: (client, end) => journal.counters.hookEnded(client, end),
  });
  const onPayload = (root: string) => autoIndex.onActivity(root);
  const journal = new Journal({ home, agents, ingest: hooks.ingest, onPayload });
  const clients = new Set<Socket>();
  let isLeaving = false;
  let asked = performance.now();
  /** Requests that wait for the journal. */
  let waiting = 0;
  let leave: () => void = () => undefined;
  const ended = new Promise<void>((done) => {
    leave = () => {
      isLeaving = true;
      done();
    };
  });

  const takeIn = () => Promise.race([journal.drain().catch(() => undefined), sleep(BACKLOG_MS)]);
  const service: Service = {
    hello,
    get isLeaving() {
      return isLeaving;
    },
    async answer(ask, options) {
      if ('spawn' in ask || 'hook' in ask) asked = performance.now();
      if ('hook' in ask) return JSON.stringify(await hooks.answer(ask.hook, options.signal));
      if ('retire' in ask) {
        isLeaving = true;
        // No client connects any more, and what is recorded from now on waits for the successor.
        server.close();
        await journal.close();
        while (host.pending + waiting > 0) await sleep(20);
      }
      if ('stop' in ask || 'retire' in ask) leave();
      if ('status' in ask) {
        const { rss: memory_bytes } = process.memoryUsage();
        const graphs = await host.openGraphs();
        return JSON.stringify({ ...hello, started, home, memory_bytes, pending: host.pending, graphs });
      }
      if ('drain' in ask) {
        const { failure } = await journal.drain();
        if (failure) throw failure;
        return 'null';
      }
      if (!('spawn' in ask)) return host.askText(ask, options);
      if (reportsEvents(ask.spawn.walker) && journal.hasNew()) {
        waiting += 1;
        await takeIn();
        waiting -= 1;
      }
      try {
        return await host.askText(ask, options);
      } finally {
        asked = performance.now();
      }
    },
  };
  if (!isHome()) return lock.close();
  journal.watch();
  // What was recorded while nobody was there is seen by the first question already, if it is not much.
  await takeIn();
  const { server, address } = await listenAt(home, (socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    serveConnection(socket, service);
  });
  writeRecord(home, { ...hello, address, started });

  const saveCounters = () => {
    try {
      journal.counters.save();
    } catch {
      // A full disk is reported by what needs it.
    }
  };
  const counted = setInterval(saveCounters, COUNTED_MS);
  const look = setInterval(() => {
    if (host.isBusy || journal.hasNew()) asked = performance.now();
    const isIdle = performance.now() - asked > idleMs;
    if (isIdle || readRecord(home)?.pid !== process.pid || !isHome()) leave();
    if (clients.size === 0) void host.closeUnused(idleMs / 2);
  }, LOOK_MS);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);

  await ended;
  clearInterval(look);
  clearInterval(counted);
  server.close();
  await Promise.race([journal.close(), sleep(CLOSING_MS)]);
  await host.close();
  if (isHome()) saveCounters();
  if (readRecord(home)?.pid === process.pid) rmSync(join(home, 'daemon.json'), { force: true });
  await lock.close();
  // Clients take the end of their connection for leave to start another one.
  for (const socket of clients) socket.end();
}

/** A bad configuration is reported by the request that meets it; the daemon runs all the same. */
function daemonSettings(home: string) {
  try {
    return settingsFor(null, { home });
  } catch {
    return wholeSettings();
  }
}

/**
 * Listens for the clients of a home. Only who holds the home's lock may call it: then a socket that nobody answers on
 * was left by the dead, and one that somebody answers on is a stranger's, and left alone.
 *
 * @throws CodewalkError `DAEMON_FAILED`.
 */
async function listenAt(home: string, onClient: (socket: Socket) => void) {
  let cause: unknown;
  for (let place = 0; place < PLACES; place++) {
    const address = daemonAddress(home, place);
    if (await hasListener(address)) continue;
    try {
      if (process.platform !== 'win32') rmSync(address, { force: true });
      return { server: await listening(address, onClient), address };
    } catch (error) {
      cause = error;
    }
  }
  throw new CodewalkError('DAEMON_FAILED', `the daemon cannot listen at ${daemonAddress(home)}`, {
    input: daemonAddress(home),
    suggestion: 'Something else holds that path: remove it, or use --embedded.',
    cause,
  });
}

function listening(address: string, onClient: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onClient);
  return new Promise((done, fail) => {
    server.once('error', fail);
    // The socket is the user's alone from the moment it is there.
    const mask = process.umask(0o077);
    server.listen(address, () => {
      process.umask(mask);
      if (process.platform !== 'win32') chmodSync(address, 0o600);
      server.off('error', fail);
      done(server);
    });
  });
}

/** Whether anybody accepts connections there. */
function hasListener(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
