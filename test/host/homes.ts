import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { LocalHost, ownHello, RemoteHost, stopDaemon } from '../../host/index.js';
import type { LocalHostOptions } from '../../host/local/local-host.js';

/** The built daemon: `npm test` builds it first. */
export const DAEMON = new URL('../../dist/daemon.js', import.meta.url);

const WORKER = new URL('../../dist/graph.worker.js', import.meta.url);

/** What this build says of itself. */
export const OWN = ownHello(DAEMON);

/** Graphs homes and their daemons for one test file: what a test starts ends with it, and the file checks that it did. */
export class Homes {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-faults-')));
  /** A project of one file. */
  readonly root = this.write('shop', {
    'package.json': '{"name": "shop"}',
    'money.ts': 'export function tax(price: number) { return price * 0.2; }\n',
  });
  readonly #homes = new Set<string>();
  readonly #hosts: RemoteHost[] = [];
  readonly #pids = new Set<number>();
  #made = 0;

  /** @param until When its daemons are ended: after each test, or after all of the file, which share them. */
  constructor(until: 'test' | 'file' = 'test') {
    if (until === 'test') afterEach(() => this.#end());
    afterAll(async () => {
      await this.#end();
      const left = [...this.#pids].filter(isAlive);
      rmSync(this.folder, { recursive: true, force: true });
      expect(left, 'daemons were left').toEqual([]);
    });
  }

  /** Writes files under a folder and answers its absolute path. */
  write(folder: string, files: Readonly<Record<string, string>>): string {
    return writeFiles(join(this.folder, folder), files);
  }

  /** The path of a home that nobody has used yet. */
  fresh(): string {
    this.#made += 1;
    return this.known(join(this.folder, `home-${this.#made}`));
  }

  /** A home of the test's own making. */
  known(home: string): string {
    this.#homes.add(home);
    return home;
  }

  /** A client of a home's daemon, which it starts by a script where there is none. */
  client(home: string, script = DAEMON): RemoteHost {
    const host = new RemoteHost({ home, script });
    this.#hosts.push(host);
    return host;
  }

  /** The daemon's process, which a client starts where there is none. */
  async pidOf(host: RemoteHost): Promise<number> {
    const { pid } = (await host.status()) as { pid: number };
    this.#pids.add(pid);
    return pid;
  }

  /** What a home's daemon left of itself. */
  record(home: string): { readonly pid: number; readonly address: string } {
    const record = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
    this.#pids.add(record.pid);
    return record;
  }

  async #end(): Promise<void> {
    await Promise.all(this.#hosts.splice(0).map((host) => host.close()));
    for (const home of this.#homes) {
      const pid = await stopDaemon(home, OWN);
      if (pid !== null) this.#pids.add(pid);
    }
    this.#homes.clear();
  }
}

/** Hosts whose threads are in this process, over one home, for one test file; each ends with its test, or with the file. */
export class LocalHosts {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-hosts-')));
  readonly home = join(this.folder, 'graphs');
  readonly #hosts: LocalHost[] = [];

  constructor(until: 'test' | 'file' = 'test') {
    const end = () => Promise.all(this.#hosts.splice(0).map((host) => host.close()));
    if (until === 'test') afterEach(end);
    afterAll(async () => {
      await end();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  open(options: Partial<LocalHostOptions> = {}): LocalHost {
    const host = new LocalHost({ home: this.home, script: WORKER, ...options });
    this.#hosts.push(host);
    return host;
  }

  /** Writes files under a folder and answers its absolute path. */
  write(folder: string, files: Readonly<Record<string, string>>): string {
    return writeFiles(join(this.folder, folder), files);
  }
}

/** What never yields, as `for (;;);` does, and takes no processor from others meanwhile. */
export const BLOCKS = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** The source of a user's walker that only finishes. */
export function walkerFile(name: string, body: string): string {
  return `import { defineWalker } from 'codewalk';
export default defineWalker('${name}', { start: () => null, on: () => [], finish: async ({ context }) => { ${body} } });
`;
}

function writeFiles(root: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(root, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until something is so, at most a minute. */
export async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await what()) && looks < 2400; looks++)
    await new Promise((done) => setTimeout(done, 25));
  expect(await what()).toBe(true);
}
