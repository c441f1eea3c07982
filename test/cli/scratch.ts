import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built command: `npm test` builds it first. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A small project: two files that call each other's functions, a README, and something that git ignores. */
export const PROJECT = {
  'src/shop.ts': [
    "import { tax } from './money.js';",
    '/** What somebody buys. */',
    'export class Basket {',
    '  total(price: number): number {',
    '    return price + tax(price);',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/money.ts':
    '/** The part of the state. */\nexport function tax(price: number): number {\n  return price * 0.2;\n}\n',
  'README.md': '# Shop\n',
  '.gitignore': 'out/\n',
  'out/made.ts': 'export const made = 1;\n',
};

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let commands: Promise<ChildProcess> | null = null;
let lastCommand: Promise<unknown> = Promise.resolve();

/** The process that runs the command lines of all test files of this worker; it ends with the worker. */
async function forkedCommands(): Promise<ChildProcess> {
  const child = fork(new URL('commands-child.mjs', import.meta.url), { execArgv: [] });
  const gone = once(child, 'exit').then(() => {
    throw new Error('the process of the commands ended: is the package built?');
  });
  await Promise.race([once(child, 'message'), gone]);
  gone.catch(() => undefined);
  child.unref();
  child.channel?.unref();
  return child;
}

/** Runs a command line to its end; in one process with all others, in turn. */
export function runCommand(
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  commands ??= forkedCommands();
  const mine = Promise.all([commands, lastCommand]).then(async ([child]) => {
    const answer = once(child, 'message');
    child.send({ args, ...where });
    return (await answer)[0];
  });
  lastCommand = mine.catch(() => undefined);
  return mine;
}

/** A folder of its own for one test file, with a project, a home and a graphs home in it. */
export class Scratch {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-faces-')));
  readonly project = this.write('shop', PROJECT);
  readonly home = this.write('home', {});
  /** The environment that keeps everything inside the folder. */
  readonly env = {
    PATH: process.env.PATH ?? '',
    HOME: this.home,
    GRAPHS_HOME: join(this.folder, 'graphs'),
    NO_COLOR: '1',
  };

  /** Writes files under a folder and answers its absolute path. */
  write(folder: string, files: Readonly<Record<string, string>>): string {
    const root = join(this.folder, folder);
    mkdirSync(root, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  }

  /** Starts the command. */
  start(args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
    return spawn(process.execPath, [CLI, ...args], {
      cwd: options.cwd ?? this.project,
      env: { ...this.env, ...options.env },
    });
  }

  /** Runs the command to its end. */
  run(args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): Promise<Ended> {
    return runCommand(args, { cwd: options.cwd ?? this.project, env: { ...this.env, ...options.env } });
  }

  async remove(): Promise<void> {
    if (existsSync(join(this.env.GRAPHS_HOME, 'daemon.json'))) await this.run(['stop', '--quiet']);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What a process printed, and how it ended. */
export function ended(child: ReturnType<Scratch['start']>): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}
