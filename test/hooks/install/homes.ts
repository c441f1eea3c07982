import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CLIENTS, clientNamed, install, type Programs, uninstall } from '../../../hooks/index.js';

/** A user's home, whose path holds what a shell could stumble over. */
export interface TestHome {
  readonly userHome: string;
  /** A project in it. */
  readonly project: string;
  /** Installs for all projects, or for the project. */
  install(
    client: string,
    scope?: 'user' | 'project',
    programs?: Partial<Programs>,
    dryRun?: boolean,
  ): ReturnType<typeof install>;
  uninstall(...clients: string[]): ReturnType<typeof uninstall>;
}

/** A new home; gone when the test ends. */
export function testHome(env: Readonly<Record<string, string>> = {}): TestHome {
  const userHome = realpathSync(mkdtempSync(join(tmpdir(), "codewalk o'home ")));
  onTestFinished(() => rmSync(userHome, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const home = join(userHome, '.graphs');
  const project = join(userHome, 'work');
  mkdirSync(home);
  mkdirSync(project);
  mkdirSync(join(project, '.git'));
  const machine = { env, userHome, cwd: project, platform: 'linux' } as const;
  const programs = { dist: '/opt/codewalk/dist', node: '/opt/node', home: null, version: '1.0.0' };
  return {
    userHome,
    project,
    install(name, scope = 'user', other = {}, dryRun = false) {
      const client = clientNamed(name);
      if (client === undefined) throw new Error(name);
      const root = scope === 'user' ? null : project;
      const at = '2026-01-01T00:00:00.000Z';
      return install(client, {
        home,
        root,
        programs: { ...programs, ...other },
        machine,
        force: false,
        dryRun,
        at,
      });
    },
    uninstall(...names) {
      const clients = CLIENTS.filter(({ name }) => names.length === 0 || names.includes(name));
      return uninstall(clients, { home, root: project, programs, machine, dryRun: false });
    },
  };
}

/** Every path beneath a folder with its mode and what it holds; where a link leads. */
export function treeOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => {
        const stats = lstatSync(path);
        const holds = stats.isSymbolicLink()
          ? readlinkSync(path)
          : stats.isFile()
            ? readFileSync(path).toString('latin1')
            : '';
        return [path.slice(folder.length), `${stats.mode.toString(8)} ${holds}`];
      }),
  );
}
