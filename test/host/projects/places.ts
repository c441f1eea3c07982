import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type Answer,
  answer,
  directHost,
  listProjects,
  openGraph,
  type Project,
  type StoreOwner,
} from '../../../host/index.js';
import { Task } from '../../../schema/index.js';

/** What a file says; of a backup, what it says uncompressed. */
function bytesOf(file: string): Buffer {
  const bytes = readFileSync(file);
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** The project of a root in a home; null where there is none. */
export function projectOf(root: string, { home }: { readonly home: string }): Project | null {
  return listProjects({ home }).find((project) => project.root === root) ?? null;
}

function git(root: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', root, ...who, ...args], { stdio: 'ignore' });
}

/** A folder with a home for graphs and a repository of one commit in it. */
export class Place {
  readonly folder: string;
  readonly home: string;
  readonly shop: string;
  /** Who has stores open: nobody. */
  readonly owner: StoreOwner;

  constructor(folder: string) {
    this.folder = realpathSync.native(folder);
    this.home = join(this.folder, 'graphs');
    this.shop = this.repository('shop');
    this.owner = directHost(this.home);
  }

  /** A repository with one commit. */
  repository(name: string): string {
    const root = join(this.folder, name);
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src', 'a.ts'), 'export const a = 1;\n');
    git(root, 'init', '-q', '--template=');
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'The beginning');
    return root;
  }

  git(root: string, ...args: string[]): void {
    git(root, ...args);
  }

  /** Spawns a walker on a root. */
  async spawn(root: string, walker: string, input: Record<string, unknown> = {}): Promise<Answer> {
    await using graph = await openGraph(root, { home: this.home });
    return await answer(graph, walker, input);
  }

  index(root: string): Promise<Answer> {
    return this.spawn(root, 'graph_index_project');
  }

  /** Records events of one task. */
  async record(root: string, session_id: string, ...events: readonly (readonly [string, object, string?])[]) {
    await using graph = await openGraph(root, { home: this.home });
    for (const [kind, payload, ts] of events)
      await answer(graph, 'etg_log_event', {
        kind,
        payload,
        session_id,
        ...(ts === undefined ? {} : { ts }),
      });
  }

  /** What was asked in a root's tasks. */
  async prompts(root: string): Promise<string[]> {
    await using graph = await openGraph(root, { home: this.home });
    const tasks = await graph.read((tx) => tx.find(Task));
    return tasks.map((task) => task.user_prompt).sort();
  }

  /** Files beneath the home that hold a text, in any of the ways in which it is written. */
  filesWith(text: string | Buffer): string[] {
    return readdirSync(this.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => bytesOf(file).includes(text) || (typeof text === 'string' && file.includes(text)));
  }
}
