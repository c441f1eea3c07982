import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalCounts } from '../../host/index.js';
import { type InstalledClient, InstalledUser } from './installed.js';
import { later, type Payload, recording } from './recording.js';
import { plainTrace, traceOf } from './trace-of.js';

/*
 * Whole scenarios, as real clients told of them, through the commands that the installers write.
 */

const LONG = 300_000;
const NO_NETWORK = fileURLToPath(new URL('../e2e/no-network.cjs', import.meta.url));

/** One payload of a client's. */
interface Fired {
  readonly client: InstalledClient;
  readonly payload: Payload;
}

const firedBy = (client: InstalledClient, payloads: readonly Payload[]): Fired[] =>
  payloads.map((payload) => ({ client, payload }));

/** What the installed hooks listen to of it. */
const heard = (user: InstalledUser, fired: readonly Fired[]) =>
  fired.filter(({ client, payload }) => user.commandsFor(client, payload).length > 0);

/** What hooks may print: nothing, or one JSON object, for the agent or, while an index runs, for the person. */
function expectStrict(stdout: string): void {
  if (stdout === '') return;
  const { hookSpecificOutput, systemMessage, ...others } = JSON.parse(stdout);
  expect(hookSpecificOutput ?? systemMessage).toBeDefined();
  expect(systemMessage ?? 'indexing').toContain('indexing');
  expect(others).toEqual({});
}

/** Of so many events one is followed by a kill; each scenario begins at another. */
const KILL_EVERY = 8;

describe.each([
  ['qwen', 'qwen-js-cart', 0],
  ['claude', 'claude-js-cart', 1],
] as const)('a scenario of %s: %s', (client, name, first) => {
  it('leaves the same trace when the daemon is killed again and again', {
    timeout: LONG,
  }, async () => {
    const user = new InstalledUser();
    user.install(client);
    const fired = heard(user, firedBy(client, recording(name, user.root)));
    for (const [at, { payload }] of fired.entries()) {
      for (const { code, stdout } of await user.fire(client, payload)) {
        expect(code).toBe(0);
        expectStrict(stdout);
      }
      if (at % KILL_EVERY === first) user.kill();
    }
    const trace = traceOf(await user.exported());
    expect(trace).toHaveLength(2);
    expect(trace).toEqual(await plainTrace(fired, user.root));
    expect(journalCounts(user.home)).toMatchObject({ pending: 0, quarantine: {}, held: {} });
  });
});

it('keeps apart two clients that work in one project at once, with sub agents between', {
  timeout: LONG,
}, async () => {
  const user = new InstalledUser();
  user.install('qwen');
  user.install('claude');
  const of = (client: InstalledClient, name: string) =>
    heard(user, firedBy(client, recording(name, user.root)));
  const [qwen, claude] = [of('qwen', 'qwen-agents'), of('claude', 'claude-agents')];
  const turns = Math.max(qwen.length, claude.length);
  for (let at = 0; at < turns; at++) {
    const both = [qwen[at], claude[at]].flatMap((one) => (one ? [one] : []));
    const ended = await Promise.all(both.map(({ client, payload }) => user.fire(client, payload)));
    for (const { code, stdout } of ended.flat()) {
      expect(code).toBe(0);
      expectStrict(stdout);
    }
  }
  const alone = [await plainTrace(qwen, user.root), await plainTrace(claude, user.root)].flat().sort();
  expect(traceOf(await user.exported())).toEqual(alone);
});

it('records a session that is resumed after a day as one session with two tasks', async () => {
  const DAY = 24 * 3600 * 1000;
  for (const name of ['qwen-agents', 'qwen-old-agents']) {
    const payloads = recording(name, '/project');
    const second = payloads.findLastIndex(({ prompt }) => typeof prompt === 'string' && prompt !== '');
    const after = payloads.map((payload, at) => later(payload, at < second ? -DAY : 0));
    const trace = await plainTrace(firedBy('qwen', after));
    expect(trace).toEqual(await plainTrace(firedBy('qwen', payloads)));
    const tasks = trace.map((task) => JSON.parse(String(task)));
    expect(new Set(tasks.map(({ session_id }) => session_id)).size).toBe(1);
    expect(tasks.map(({ status }) => status)).toEqual(['success', 'success']);
  }
});

it('tells the same of events that come in any order, and twice', async () => {
  for (const name of ['qwen-js-cart', 'qwen-agents']) {
    const fired = firedBy('qwen', recording(name, '/project'));
    const [even, odd] = [0, 1].map((rest) => fired.filter((_, at) => at % 2 === rest));
    expect(await plainTrace([...(odd ?? []), ...(even ?? []), ...fired])).toEqual(await plainTrace(fired));
  }
});

it('ends well, with nothing but one JSON object to say, whatever a payload is', {
  timeout: LONG,
}, async () => {
  const user = new InstalledUser();
  const clients = ['qwen', 'claude'] as const;
  for (const client of clients) user.install(client);
  const [sample] = recording('qwen-js-cart', user.root).filter(
    ({ hook_event_name }) => hook_event_name === 'PostToolUseFailure',
  );
  const text = JSON.stringify(sample);
  const broken: readonly (string | Uint8Array)[] = [
    '',
    '\0',
    'null',
    '[{}]',
    text.slice(0, text.length / 2),
    `${text}${text}`,
    text.replaceAll('tool_', 'instrument_'),
    JSON.stringify({ ...sample, session_id: { a: 1 }, tool_name: 7, tool_input: 'none', error: ['x'] }),
    Buffer.from(JSON.stringify({ ...sample, error: 'grün ärger' }), 'latin1'),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    JSON.stringify({ ...sample, error: 'x'.repeat(20_000_000) }),
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ];
  // One answers, the other only records; what each client's payloads may be is tried by the fuzzer.
  for (const [client, hook_event_name] of [
    ['qwen', 'PostToolUseFailure'],
    ['claude', 'Stop'],
  ] as const) {
    const [command = ''] = user.commandsFor(client, { hook_event_name });
    const ended = await Promise.all(broken.map((input) => user.run(command, input)));
    for (const { code, stdout } of ended) {
      expect(code).toBe(0);
      expectStrict(stdout);
    }
  }
  await user.host.drain();
  expect(journalCounts(user.home).pending).toBe(0);
});

it('is silent when the package is gone', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'codewalk-gone-'));
  cpSync(fileURLToPath(new URL('../../dist/record.sh', import.meta.url)), join(gone, 'record.sh'));
  rmSync(gone, { recursive: true });
  const user = new InstalledUser();
  user.install('qwen', gone);
  const [payload = {}] = recording('qwen-js-cart', user.root);
  expect(await user.fire('qwen', payload)).toEqual([{ code: 0, stdout: '' }]);
});

it('needs no network: nobody connects to anything but the socket', { timeout: LONG }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-network-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const options = `--require="${NO_NETWORK}"`;
  const env = { NODE_OPTIONS: options, CODEWALK_NODE_OPTIONS: options, CODEWALK_E2E_NETWORK: log };
  const user = new InstalledUser(env);
  user.install('claude');
  for (const { payload } of heard(user, firedBy('claude', recording('claude-js-cart', user.root))).slice(
    0,
    12,
  ))
    await user.fire('claude', payload);
  await user.exported();
  expect(readFileSync(log, 'utf8')).toBe('');
  // The watch itself can fail.
  const script = join(folder, 'codewalk', 'stray.cjs');
  cpSync(NO_NETWORK, script);
  writeFileSync(script, "require('node:net').connect(9, '127.0.0.1');\n");
  await user.run(`'${process.execPath}' '${script}'`, '');
  expect(readFileSync(log, 'utf8')).toContain('127.0.0.1');
});
