import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { ownHello, RemoteHost, stopDaemon } from '../../host/index.js';
import { testHome } from './install/homes.js';
import type { Payload } from './recording.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const SCRIPT = new URL('../../dist/daemon.js', import.meta.url);
/** Where each client keeps the hooks that our installer writes, below the user's home. */
const HOOKS = { qwen: '.qwen/extensions/codewalk/hooks/hooks.json', claude: '.claude/settings.json' };

/** A client that we have an installer for. */
export type InstalledClient = keyof typeof HOOKS;

/** How one hook ended. */
export interface Hooked {
  readonly code: number | null;
  readonly stdout: string;
}

type Hooks = Readonly<Record<string, readonly { matcher?: string; hooks: readonly { command: string }[] }[]>>;

/** A user who has installed Codewalk, by the real installer, for clients that run the hooks it wrote. */
export class InstalledUser {
  readonly #user = testHome();
  readonly home = join(this.#user.userHome, '.graphs');
  readonly root = join(this.#user.userHome, 'my project');
  readonly host = new RemoteHost({ home: this.home, script: SCRIPT });
  readonly #env: Readonly<Record<string, string>>;

  /** @param env What the hooks find in their environment, beside PATH and HOME. */
  constructor(env: Readonly<Record<string, string>> = {}) {
    mkdirSync(join(this.root, '.git'), { recursive: true });
    this.#env = { PATH: process.env.PATH ?? '', HOME: this.#user.userHome, ...env };
    onTestFinished(async () => {
      await this.host.close();
      await stopDaemon(this.home, ownHello(SCRIPT));
    });
  }

  /** @param dist Where the package is; default: the built one. */
  install(client: InstalledClient, dist = DIST.replace(/\/$/u, '')): void {
    this.#user.install(client, 'user', { dist, node: process.execPath });
  }

  /** Runs the commands that are installed for a payload, as a shell does for the client. */
  async fire(client: InstalledClient, payload: Payload): Promise<Hooked[]> {
    const text = JSON.stringify(payload);
    return Promise.all(this.commandsFor(client, payload).map((command) => this.run(command, text)));
  }

  /** The installed commands that a payload's event starts; none where we do not listen. */
  commandsFor(client: InstalledClient, { hook_event_name, tool_name = '' }: Payload): string[] {
    const settings: { hooks: Hooks } = JSON.parse(
      readFileSync(join(this.#user.userHome, HOOKS[client]), 'utf8'),
    );
    return (settings.hooks[String(hook_event_name)] ?? [])
      .filter(({ matcher = '*' }) => matcher === '*' || matcher.split('|').includes(String(tool_name)))
      .flatMap(({ hooks }) => hooks.map(({ command }) => command));
  }

  /** Runs a command with an input in the project. */
  run(command: string, input: string | Uint8Array): Promise<Hooked> {
    const child = spawn('sh', ['-c', command], {
      cwd: this.root,
      env: this.#env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let stdout = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new Promise((done) => child.on('close', (code) => done({ code, stdout })));
  }

  /** Ends the daemon as no program can expect it. */
  kill(): void {
    try {
      const { pid } = JSON.parse(readFileSync(join(this.home, 'daemon.json'), 'utf8'));
      process.kill(pid, 'SIGKILL');
    } catch {
      // None runs.
    }
  }

  /** The lines of the durable layer's export, with all that was recorded. */
  async exported(): Promise<string[]> {
    await this.host.drain();
    const asked = { walker: 'graph_export', root: this.root, input: { layer: 'durable' }, spool: true };
    const { spool } = await this.host.spawn(asked);
    if (spool === null) throw new Error('no export');
    const text = readFileSync(spool.file, 'utf8');
    rmSync(spool.file);
    return text.split('\n').filter((line) => line !== '');
  }
}
