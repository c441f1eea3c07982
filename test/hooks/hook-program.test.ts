import { spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { AGENTS } from '../../hooks/index.js';
import {
  hookDeadline,
  journalCounts,
  ownHello,
  RemoteHost,
  readCounters,
  runningDaemon,
  stopDaemon,
} from '../../host/index.js';
import { until } from '../host/homes.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const SCRIPT = new URL('../../dist/daemon.js', import.meta.url);

/** How an agent's hook ended. */
interface Hooked {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-hook-')));
const hosts = new Map<string, RemoteHost>();
/** The home, and the daemon, of every test that needs none of its own. */
const SHARED = join(folder, 'graphs');
let agents = 0;
afterAll(async () => {
  for (const [home, host] of hosts) {
    await host.close();
    await stopDaemon(home, ownHello(SCRIPT));
  }
  rmSync(folder, { recursive: true, force: true });
});

/** A project, a home, and a client that runs its hooks there. */
class Agent {
  readonly home: string;
  readonly root = join(folder, `my project ${++agents}`);
  readonly host: RemoteHost;
  #call = 0;

  constructor(home = SHARED) {
    this.home = home;
    this.host = hosts.get(home) ?? new RemoteHost({ home, script: SCRIPT });
    hosts.set(home, this.host);
    mkdirSync(join(this.root, '.git'), { recursive: true });
    writeFileSync(join(this.root, 'price.js'), 'export const half = (n) => n / 3;\n');
  }

  /** One whose home does not exist yet. */
  static alone(): Agent {
    return new Agent(join(folder, `graphs ${agents}`));
  }

  /** A payload as Qwen Code 0.24 gives it. */
  payload(session: string, hook_event_name: string, rest: object = {}): string {
    const call = `toolu_${session}_${this.#call++}`;
    const timestamp = new Date().toISOString();
    const names = { session_id: session, prompt_id: `${session}########0`, tool_use_id: call };
    return JSON.stringify({ ...names, cwd: this.root, hook_event_name, timestamp, ...rest });
  }

  /** Stores what every session begins with. */
  async remember(): Promise<void> {
    const input = { type: 'decision', title: MEMORY, content: 'Since prices are integers.', importance: 0.9 };
    await this.host.spawn({ walker: 'memory_store', root: this.root, input });
  }

  /** Asks as a hook does that goes before it has an answer. */
  async giveUp(payload: string): Promise<void> {
    const link = await runningDaemon(this.home, ownHello(SCRIPT));
    if (link === null) throw new Error('no daemon');
    link.ask({ hook: { client: 'qwen', payload, place: 'root', path: this.root } }).catch(() => undefined);
    await new Promise((done) => setImmediate(done));
    link.close();
  }

  failing(session: string): string {
    return this.payload(session, 'PostToolUseFailure', {
      tool_name: 'run_shell_command',
      tool_input: { command: 'npm test' },
      error: `Command: npm test\nOutput: not ok 1 - half of four is two\n  error: '1.33 == 2'\nExit Code: 1\n`,
    });
  }

  /** Runs `node hook.js` with a payload. */
  hook(payload: string, args: readonly string[] = ['--deadline', '20000']): Promise<Hooked> {
    const command = ['--client', 'qwen', '--home', this.home, ...args];
    return ended(process.execPath, [join(DIST, 'hook.js'), ...command], payload, this.root);
  }

  /** Runs the recorder as an installed hook does. */
  installed(payload: string, folder = DIST): Promise<Hooked> {
    const answer = ['--answer', process.execPath, '--deadline', '20000'];
    const args = ['--client', 'qwen', '--quiet', '--home', this.home, ...answer];
    return ended('sh', [join(folder, 'record.sh'), ...args], payload, this.root);
  }

  /** A first session: a failure, what mended it, and that it passed. */
  async mends(): Promise<void> {
    const edit = { file_path: join(this.root, 'price.js'), old_string: 'n / 3', new_string: 'n / 2' };
    await this.hook(this.payload('first', 'UserPromptSubmit', { prompt: 'half is not a half: mend it' }));
    await this.hook(this.failing('first'));
    await this.hook(this.payload('first', 'PostToolUse', { tool_name: 'edit', tool_input: edit }));
    const passing = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
    await this.hook(
      this.payload('first', 'PostToolUse', { ...passing, tool_response: { llmContent: 'Exit Code: 0' } }),
    );
    await this.hook(this.payload('first', 'Stop', { last_assistant_message: 'Done' }));
    await this.host.drain();
  }
}

function ended(command: string, args: readonly string[], input: string, cwd: string): Promise<Hooked> {
  const child = spawn(command, args, { cwd });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    said.stdout += text;
  });
  child.stderr.on('data', (text) => {
    said.stderr += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((done) => child.on('close', (code) => done({ code, ...said })));
}

/** The title of a memory. */
const MEMORY = 'Halves are rounded down';

const SILENT = { code: 0, stdout: '', stderr: '' };

it('shows an agent the failure of an earlier session with what mended it, in the one form that its client takes', async () => {
  const agent = Agent.alone();
  await agent.host.status();
  await agent.mends();
  const { code, stdout } = await agent.hook(agent.failing('second'));
  expect(code).toBe(0);
  const { hookSpecificOutput } = JSON.parse(stdout);
  expect(hookSpecificOutput.hookEventName).toBe('PostToolUseFailure');
  expect(hookSpecificOutput.additionalContext).toMatch(/price\.js[\s\S]*n \/ 2/u);
  expect(readCounters(agent.home).clients).toMatchObject({ qwen: { payloads: 6 } });
  await agent.host.drain();
  expect(readCounters(agent.home).hooks).toMatchObject({ qwen: { answered: 1, late: 0, failed: 0 } });

  // The recorder in sh says the same, and records it once.
  const said = await agent.installed(agent.failing('third'));
  expect(said).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(said.stdout).hookSpecificOutput.additionalContext).toContain('n / 2');
  expect(await agent.installed(agent.payload('third', 'Stop'))).toEqual(SILENT);
  await agent.host.drain();
  expect(journalCounts(agent.home)).toMatchObject({ pending: 0, quarantine: {}, held: {} });
});

it('records where no daemon runs, starts one for the next hook, and says nothing', async () => {
  const agent = Agent.alone();
  mkdirSync(agent.home);
  expect(await agent.installed(agent.failing('first'))).toEqual(SILENT);
  await agent.host.drain();
  const { body } = await agent.host.spawn({ walker: 'tasks', root: agent.root, input: {} });
  expect(body).toMatchObject({ total: 1 });
});

it('is silent, and ends well, whatever it is given', async () => {
  const agent = new Agent();
  await agent.host.status();
  for (const payload of ['', '{', '[]', 'null', '"text"', '\xff\xfe', '{"hook_event_name":7}'])
    expect(await agent.hook(payload)).toMatchObject({ code: 0, stdout: '' });
  expect(await agent.installed('{')).toEqual(SILENT);
  expect(await agent.hook(agent.failing('one'), ['--deadline', '0'])).toEqual(SILENT);
});

it('says on stderr which option will not do what was meant, and goes on', async () => {
  const agent = Agent.alone();
  const doubt = async (...args: string[]) => {
    const { stderr, ...ended } = await agent.hook(agent.failing('one'), ['--deadline', '0', ...args]);
    expect(ended).toEqual({ code: 0, stdout: '' });
    return stderr;
  };
  expect(await doubt('--nonsense')).toBe('codewalk hook: --nonsense is no option: it is passed over\n');
  expect(await doubt('--client', 'nobody')).toContain(
    `--client 'nobody' is none of ${AGENTS.map(({ name }) => name).join(', ')}`,
  );
  expect(await doubt('--cwd', '/nope')).toContain("--cwd '/nope' does not exist");
  expect(await doubt('--deadline=soon')).toContain("--deadline 'soon' is no number of milliseconds");
});

it('gives what came too late for its hook at the next moment of the session, once', async () => {
  const agent = new Agent();
  await agent.remember();
  let session = '';
  let payload = '';
  let waits = 0;
  await until(async () => {
    // A daemon that learns late that its client went answers in time: another session gives up then.
    if (waits++ % 100 === 0) {
      session += 'late';
      payload = agent.payload(session, 'SessionStart', { source: 'startup' });
      await agent.giveUp(payload);
    }
    await agent.host.drain();
    return (readCounters(agent.home).hooks.qwen?.late ?? 0) > 0;
  });
  const prompt = () => agent.hook(agent.payload(session, 'UserPromptSubmit', { prompt: 'Add quarters' }));
  const other = await agent.hook(agent.payload('other', 'UserPromptSubmit', { prompt: 'Add quarters' }));
  expect(other.stdout).not.toContain(MEMORY);
  const { hookSpecificOutput } = JSON.parse((await prompt()).stdout);
  expect(hookSpecificOutput).toMatchObject({ hookEventName: 'UserPromptSubmit' });
  expect(hookSpecificOutput.additionalContext.split(MEMORY)).toHaveLength(2);
  expect((await prompt()).stdout).not.toContain(MEMORY);
  expect((await agent.hook(payload)).stdout).not.toContain(MEMORY);
});

it('says nothing twice to hooks of one session that run at once', async () => {
  const agent = new Agent();
  await agent.remember();
  const payload = agent.payload('twice', 'SessionStart', { source: 'startup' });
  const said = await Promise.all(Array.from({ length: 4 }, () => agent.hook(payload)));
  expect(said.filter(({ stdout }) => stdout.includes(MEMORY))).toHaveLength(1);
});

it('waits as long as the setting hooks.deadline says, whatever else is in the file', () => {
  const home = join(folder, 'settings');
  mkdirSync(home);
  const deadlineOf = (text: string) => {
    writeFileSync(join(home, 'config.json'), text);
    return hookDeadline(home);
  };
  expect(hookDeadline(home)).toBe(1000);
  expect(deadlineOf('{"hooks.deadline": 500, "walkers": 7}')).toBe(500);
  expect(deadlineOf('{"hooks.deadline": 60000}')).toBe(2500);
  expect(deadlineOf('{"hooks.deadline": 0}')).toBe(50);
  for (const text of [
    '{"hooks.deadline": "500"}',
    '{"hooks.deadline"',
    '{"projects": {"hooks.deadline": 1}}',
  ])
    expect(deadlineOf(text)).toBe(1000);
});

it('waits as long as --deadline says', async () => {
  const agent = new Agent();
  await agent.remember();
  const start = () => agent.payload('waits', 'SessionStart', { source: 'startup' });
  expect(await agent.hook(start(), ['--deadline', '0'])).toEqual(SILENT);
  expect((await agent.hook(start())).stdout).toContain(MEMORY);
});

it('takes a folder that is named from where it runs', async () => {
  const agent = new Agent();
  await agent.host.status();
  for (const named of ['--cwd=.', '--root=.']) await agent.hook(agent.failing('one'), [named]);
  await agent.host.drain();
  expect(journalCounts(agent.home)).toMatchObject({ pending: 0, quarantine: {} });
  const { body } = await agent.host.spawn({ walker: 'tasks', root: agent.root, input: {} });
  expect(body).toMatchObject({ total: 1 });
});

it('only records where the answering program is gone', async () => {
  const agent = Agent.alone();
  copyFileSync(join(DIST, 'record.sh'), join(folder, 'record.sh'));
  expect(await agent.installed(agent.failing('first'), folder)).toEqual(SILENT);
  expect(readdirSync(join(agent.home, 'journal/new'))).toHaveLength(1);
});

it('ends a task that its user broke off with the next prompt', async () => {
  const agent = new Agent();
  await agent.host.status();
  for (const [nth, prompt] of ['one thing', 'another thing'].entries()) {
    const prompt_id = `first########${nth}`;
    await agent.hook(agent.payload('first', 'UserPromptSubmit', { prompt, prompt_id }));
    await agent.hook(agent.payload('first', 'PostToolUse', { tool_name: 'list_directory', prompt_id }));
  }
  await agent.host.drain();
  const { body } = await agent.host.spawn({ walker: 'tasks', root: agent.root, input: {} });
  expect(body).toMatchObject({
    tasks: [
      { prompt: 'another thing', status: 'running' },
      { prompt: 'one thing', status: 'aborted' },
    ],
  });
});

it('indexes a project that an agent works in, and that nobody indexed', async () => {
  const agent = new Agent();
  await agent.host.status();
  await agent.hook(agent.payload('first', 'SessionStart', { source: 'startup' }));
  await agent.host.drain();
  const look = { walker: 'project_first_look', root: agent.root, input: {} };
  const isIndexed = async () => {
    const { body } = await agent.host.spawn(look);
    return 'indexed' in body && body.indexed === true;
  };
  await until(isIndexed);
});

it('has what changed in the graph before an agent reads it, once a prompt was given', async () => {
  const agent = new Agent();
  writeFileSync(
    join(agent.root, 'cart.js'),
    "import { half } from './price.js';\nexport const cart = () => half(4);\n",
  );
  await agent.host.spawn({ walker: 'graph_index_project', root: agent.root, input: {} });
  let session = 0;
  const read = async () => {
    const tool_input = { file_path: join(agent.root, 'price.js') };
    const payload = agent.payload(`s${++session}`, 'PostToolUse', { tool_name: 'read_file', tool_input });
    return (await agent.hook(payload)).stdout;
  };
  expect(await read()).toMatch(/is called by cart(?!.*changed since)/u);
  writeFileSync(join(agent.root, 'price.js'), '// Halves.\nexport const half = (n) => n / 2;\n');
  expect(await read()).toContain('changed since');
  await agent.hook(agent.payload('another', 'UserPromptSubmit', { prompt: 'Add quarters' }));
  await until(async () => !(await read()).includes('changed since'));
});

it('is a small program: an agent waits for its start, and what reads payloads is the daemon', () => {
  expect(statSync(join(DIST, 'hook.js')).size).toBeLessThan(120_000);
});
