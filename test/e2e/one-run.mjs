import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { differences } from './differences.mjs';
import { playedCalls } from './played-calls.mjs';
import { recordedCalls } from './recorded-calls.mjs';

/** Characters that make a token, about: of English and code. */
const CHARACTERS_A_TOKEN = 4;
/** Milliseconds that one run may take. */
const LONGEST = 600_000;
const NO_NETWORK = fileURLToPath(new URL('no-network.cjs', import.meta.url));

/**
 * One scenario played to one client with Codewalk installed by its own installer, and what came of it.
 *
 * @param run `{client, bin, node, scenario, harness, out, command, path}`: `scenario` is the path of its file,
 *   `command` how a shell calls `codewalk`, `path` folders for the PATH.
 * @returns `{checks, calls, files, successes, errors}` as `{right, of}`, `tokens` (given through hooks, by session),
 *   `doubled`, `running` (tasks), `seconds`, and `complaints`.
 */
export function oneRun({ client, bin, node, scenario, harness, out, command, path }) {
  mkdirSync(dirname(out), { recursive: true });
  const network = `${out}.network`;
  writeFileSync(network, '');
  const from = performance.now();
  const played = spawnSync(join(harness, 'run-e2e.sh'), {
    env: {
      HOME: process.env.HOME,
      PATH: [...path, process.env.PATH].join(':'),
      CLIENT: client,
      CLIENT_BIN: bin,
      CLIENT_NODE: node,
      CLIENT_ENV: `NODE_OPTIONS=--require="${NO_NETWORK}"\nCODEWALK_E2E_NETWORK=${network}`,
      SETUP_CMD: `${command} install ${client.replace('-old', '')}`,
      TEARDOWN_CMD: `${command} stop`,
      SCENARIO: scenario,
      OUT: out,
    },
    encoding: 'utf8',
    timeout: LONGEST,
    maxBuffer: 1 << 28,
  });
  const seconds = Math.round((performance.now() - from) / 1000);
  writeFileSync(join(out, 'output.txt'), `${played.stdout}${played.stderr}`);
  if (!existsSync(join(out, 'report.json')))
    return { complaints: [`the run made no report: ${played.stdout}${played.stderr}`], seconds };
  const { checks } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  const project = join(out, 'project');
  const recorded = recordedCalls(exported(command, project, join(out, 'home')));
  const result = differences(playedCalls(join(out, 'requests.jsonl'), project), recorded);
  const tasks = tasksOf(recorded.tasks, JSON.parse(readFileSync(scenario, 'utf8')));
  return {
    ...result,
    ...tasks,
    checks: { right: checks.filter(({ ok }) => ok).length, of: checks.length },
    tokens: givenTokens(join(out, 'hooks.json')),
    seconds,
    complaints: [
      ...checks.filter(({ ok }) => !ok).map(({ name, note }) => `check failed: ${name} [${note}]`),
      ...result.complaints,
      ...tasks.complaints,
      ...readFileSync(network, 'utf8').split('\n').filter(Boolean),
    ],
  };
}

/** The durable layer after the run, of the home that the run left. */
function exported(command, project, home) {
  const options = {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  };
  try {
    return execFileSync('sh', ['-c', `${command} export --layer durable`], options).split('\n');
  } finally {
    execFileSync('sh', ['-c', `${command} stop`], { ...options, stdio: 'ignore' });
  }
}

/** Each prompt of the scenario is one task, and none of them runs on. */
function tasksOf(tasks, { sessions }) {
  // A slash command is the client's own business.
  const prompts = sessions.map(({ prompt }) => prompt).filter((prompt) => !prompt.startsWith('/'));
  const complaints = [];
  for (const prompt of new Set(prompts)) {
    const there = tasks.filter(({ user_prompt }) => user_prompt === prompt).length;
    const made = prompts.filter((one) => one === prompt).length;
    if (there !== made) complaints.push(`${there} tasks for ${made} times '${prompt}'`);
  }
  for (const { user_prompt, id } of tasks)
    if (!prompts.includes(user_prompt)) complaints.push(`a task of no prompt: '${user_prompt}' ${id}`);
  const running = tasks.filter(({ status }) => status === 'running');
  complaints.push(...running.map(({ id }) => `left running: ${id}`));
  return { tasks: { right: tasks.length - running.length, of: prompts.length }, complaints };
}

/** What hooks gave the model, in each session. */
function givenTokens(hooks) {
  const tokens = [];
  for (const { sess, ctx } of JSON.parse(readFileSync(hooks, 'utf8')))
    if (sess >= 0) tokens[sess] = (tokens[sess] ?? 0) + (ctx ?? '').length / CHARACTERS_A_TOKEN;
  return Array.from(tokens, (given = 0) => Math.round(given));
}
