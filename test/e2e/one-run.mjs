import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/*
 * What the model did, by its own requests: every request repeats the conversation, so each call stands there with what
 * came back. This knows nothing of Codewalk, and so can be held against it.
 */

/** Arguments that name the file a tool works on, by client. */
const FILE_ARGUMENTS = ['file_path', 'path', 'absolute_path'];
/** How Qwen Code words what failed; Claude Code marks it. */
const FAILED = /^Exit Code: (?!0$)\d+$|^(?:Failed to|Error: |File not found|Tool ".*" not found)/mu;
/** Where a program's own output could look like one of them. */
const EXIT_CODE = /^Exit Code: (\d+)$/mu;

/**
 * @param requests Path of the harness's `requests.jsonl`.
 * @param project The project's folder.
 * @returns the calls in the order in which they were made:
 *   `{session, id, tool, args, files, failed, output}`; `files` are relative to the project, and null where the call's
 *   arguments do not tell them; `output` names files of the project by relative paths; `failed` is null for a call that nothing came back from.
 */
function playedCalls(requests, project) {
  const calls = new Map();
  for (const line of readFileSync(requests, 'utf8').split('\n').filter(Boolean)) {
    const { sess: session, body } = JSON.parse(line);
    for (const message of body?.messages ?? [])
      for (const part of partsOf(message)) {
        if (part.result === undefined && !calls.has(part.id))
          calls.set(part.id, {
            ...part,
            session,
            files: filesOf(part.args, project),
            failed: null,
            output: '',
          });
        const call = calls.get(part.id);
        if (part.result !== undefined && call)
          Object.assign(call, {
            output: part.result.replaceAll(`${project}/`, ''),
            failed: part.failed ?? hasFailed(part.result),
          });
      }
  }
  return [...calls.values()];
}

/** Calls and results of one message, in OpenAI's form or Anthropic's. */
function partsOf({ role, content, tool_calls, tool_call_id }) {
  if (role === 'tool') return [{ id: tool_call_id, result: textOf(content) }];
  if (tool_calls)
    return tool_calls.map(({ id, function: { name, arguments: args } }) => ({
      id,
      tool: name,
      args: JSON.parse(args),
    }));
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    if (part.type === 'tool_use') return [{ id: part.id, tool: part.name, args: part.input }];
    if (part.type !== 'tool_result') return [];
    return [{ id: part.tool_use_id, result: textOf(part.content), failed: part.is_error === true }];
  });
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

function hasFailed(output) {
  const code = EXIT_CODE.exec(output);
  return code === null ? FAILED.test(output) : code[1] !== '0';
}

function filesOf(args, project) {
  const named = FILE_ARGUMENTS.map((name) => args?.[name]).find((path) => typeof path === 'string');
  return named === undefined ? null : [relative(project, named)];
}

/*
 * What the durable graph holds of it, by its export: the lines of `codewalk export --layer durable`.
 */

/**
 * @param lines The export.
 * @returns `{tasks, calls, errors}`: each call with its `task`, its `files` (sorted), its `success` and the `errors` of
 *   the step that it was made in.
 */
function recordedCalls(lines) {
  const entries = lines.filter(Boolean).map((line) => JSON.parse(line));
  const nodes = new Map(entries.filter(({ type }) => type === 'node').map((node) => [node.id, node]));
  const edges = entries.filter(({ type }) => type === 'edge');
  const from = (id, kind) =>
    edges.filter((edge) => edge.kind === kind && edge.from === id).map(({ to }) => to);
  const into = (id, kind) =>
    edges.filter((edge) => edge.kind === kind && edge.to === id).map(({ from }) => from);
  const ofKind = (kind) => [...nodes.values()].filter((node) => node.kind === kind);
  const calls = ofKind('ToolInvocation').map((call) => {
    const [step] = into(call.id, 'INVOKES_TOOL');
    const [task] = into(step, 'HAS_STEP');
    return {
      ...call,
      step: nodes.get(step),
      task: nodes.get(task),
      files: from(call.id, 'TOUCHES_FILE')
        .map((id) => id.slice('file:'.length))
        .sort(),
      errors: from(step, 'HAS_ERROR').map((id) => nodes.get(id)),
    };
  });
  return { tasks: ofKind('Task'), calls, errors: ofKind('Error') };
}

/*
 * The calls that the model made against those that the graph holds: each must be there once, with its files, its
 * success, and its error where it failed.
 */

/** The first characters of a text are compared: what is longer may have been cut. */
const COMPARED = 120;

/**
 * @param played From `playedCalls`: its outputs name files of the project by their relative paths.
 * @param recorded From `recordedCalls`.
 * @returns `{calls, files, successes, errors}`, each `{right, of}`, and `complaints`: one line for each difference.
 */
function differences(played, recorded) {
  const left = new Set(recorded.calls.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)));
  const spent = new Set();
  const complaints = [];
  const found = { calls: tally(), files: tally(), successes: tally(), errors: tally() };
  const expect = (what, isRight, complaint) => {
    found[what].of += 1;
    if (isRight) found[what].right += 1;
    else complaints.push(complaint);
  };
  for (const call of played) {
    const name = `${call.tool} ${JSON.stringify(call.args).slice(0, COMPARED)} (session ${call.session})`;
    const twin = [...left].find((one) => one.tool_name === call.tool && isAlike(call.args, one.params_json));
    expect('calls', twin !== undefined, `not recorded: ${name}`);
    if (twin === undefined) continue;
    left.delete(twin);
    const [files, written] = [call.files, twin.files];
    if (files !== null)
      expect('files', String(files) === String(written), `files ${written} instead of ${files}: ${name}`);
    if (call.failed === null) continue;
    expect('successes', twin.success === !call.failed, `success is ${twin.success}: ${name}`);
    if (!call.failed) continue;
    const error = twin.errors.find((one) => one.tool_id === twin.id && tellsOf(one, call.output));
    if (error) spent.add(error.id);
    expect('errors', error !== undefined, `no error of its own: ${name}`);
  }
  for (const { tool_name, params_json, id } of left)
    complaints.push(`recorded, but never called: ${tool_name} ${JSON.stringify(params_json)} ${id}`);
  for (const { id, message } of recorded.errors)
    if (!spent.has(id)) complaints.push(`an error of no failed call: ${message.slice(0, COMPARED)} ${id}`);
  return { ...found, complaints };
}

const tally = () => ({ right: 0, of: 0 });
const timeOf = ({ started_at, ended_at }) => started_at ?? ended_at ?? '';

/** Whether parameters are those of a call: every text of them begins as the call's. */
function isAlike(args, params) {
  if (params === null) return true;
  return Object.entries(args).every(([key, value]) => {
    if (typeof value !== 'string' || typeof params[key] !== 'string') return true;
    // A client may trim what it was told to write.
    return value.trim().slice(0, COMPARED) === params[key].trim().slice(0, COMPARED);
  });
}

/** Whether an error speaks of what the model was shown: one of its lines stands there. */
function tellsOf({ message, raw_log_excerpt }, output) {
  const lines = `${message}\n${raw_log_excerpt}`.split('\n').map((line) => line.trim());
  return lines.some((line) => line.length > 3 && output.includes(line));
}
