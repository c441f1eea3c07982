import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const RECORDING = new URL('../../test/hooks/recordings/qwen-js-cart.jsonl', import.meta.url);

/** A user with Codewalk installed for Qwen Code, who works in a project that is indexed and has a history. */
export class InstalledQwen {
  #project;
  #env;
  #hooks;
  #sessions = 0;

  /** @param folder Of the user: empty. @param project The project; nothing is written there. */
  constructor(folder, project) {
    this.#project = project;
    const home = join(folder, 'home');
    mkdirSync(home);
    this.#env = { PATH: process.env.PATH, HOME: home };
    this.codewalk('install', 'qwen');
    const file = join(home, '.qwen/extensions/codewalk/hooks/hooks.json');
    this.#hooks = JSON.parse(readFileSync(file, 'utf8')).hooks;
  }

  /** Runs a command of ours for the user; its output. */
  codewalk(...args) {
    const options = {
      cwd: this.#project,
      env: this.#env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    };
    return execFileSync(process.execPath, [join(DIST, 'cli.js'), ...args], options);
  }

  /** Payloads of a scenario as a real client told of it, in this project. */
  recorded() {
    const lines = readFileSync(RECORDING, 'utf8').trim().replaceAll('/project', this.#project).split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  /** Records earlier sessions: the recorded one, under other names. */
  async remember(sessions) {
    for (let at = 0; at < sessions; at++)
      for (const payload of this.recorded()) {
        const mine = { ...payload, session_id: `earlier-${at}-${payload.session_id}` };
        if (mine.prompt_id) mine.prompt_id = `${at}-${mine.prompt_id}`;
        if (mine.tool_use_id) mine.tool_use_id = `${at}-${mine.tool_use_id}`;
        await this.fire(mine.hook_event_name, mine, { silent: true });
      }
    this.codewalk('status');
  }

  /** Source files of the project, absolute. */
  files() {
    const listed = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.py'], {
      cwd: this.#project,
      encoding: 'utf8',
    });
    return listed
      .trim()
      .split('\n')
      .map((path) => join(this.#project, path));
  }

  /**
   * Fires an event in a session of its own, as the client does it.
   *
   * @param silent Only records, in all cases.
   * @returns `{ms, said}`: wall time from before the start of the process, and standard output; null where no hook is
   *   installed for the event.
   */
  fire(event, payload, { silent = false } = {}) {
    const [group] = this.#hooks[event] ?? [];
    if (!group) return Promise.resolve(null);
    const session = `bench-${this.#sessions++}`;
    const own = {
      session_id: session,
      prompt_id: `${session}########0`,
      cwd: this.#project,
      hook_event_name: event,
      timestamp: new Date().toISOString(),
      ...payload,
    };
    const command = group.hooks[0].command;
    return this.#run(silent ? command.replace(/ --answer '[^']*'/u, '') : command, JSON.stringify(own));
  }

  #run(command, input) {
    const from = performance.now();
    const child = spawn('sh', ['-c', command], {
      cwd: this.#project,
      env: this.#env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new Promise((done, fail) => {
      child.on('error', fail);
      child.on('close', (code) =>
        code === 0
          ? done({ ms: performance.now() - from, said })
          : fail(new Error(`${command}: exit ${code}`)),
      );
    });
  }
}
