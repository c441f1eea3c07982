import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { agents } from '../../hooks/index.js';
import type { OpenGraph } from '../../index.js';
import { LIMITS } from '../../schema/index.js';
import { open, scratch, write } from '../walkers/project.js';
import { type Made, randomOf, SHAPES, type Shape } from './shapes.mjs';

/** One secret that was told, and where. */
interface Told {
  readonly core: string;
  readonly door: string;
  readonly shape: Shape;
}

/** A place that takes texts from outside. */
interface Door {
  readonly name: string;
  /** Characters of one text, so that nothing of it is cut away. Default: {@link MOST}. */
  readonly most?: number;
  /** Which shapes fit in. Default: all. */
  readonly fits?: (shape: Shape, made: Made) => boolean;
  /** A promise where it takes time. */
  give(text: string): unknown;
}

const MOST = 3000;
/** Share of the secrets that only their names tell which may be missed, as masking.test.ts has it for all forms. */
const MOST_BESIDE = 0.02;
/** Shorter ones could be found by chance. */
const LEAST = 7;
/** A part of the shapes: masking.test.ts has all of them, here every door has some. */
const COUNTED = SHAPES.filter(({ kind, bare }, i) => kind !== 'hard' && i % (bare ? 6 : 7) === 0);
const token = ({ bare, lines }: Shape, { text }: Made) =>
  bare && !lines && text.length < 80 && !/\s/u.test(text);
const random = randomOf(20_260_101);
let calls = 0;
/** A password of words may be drawn again, where masking misses it. */
const DRAWN = new Set<string>();

/** Payloads that wait to be recorded, as the journal would hand them on. */
class Hooks {
  readonly #events: object[] = [];
  /** A session for each: what is recorded of a task is folded together. */
  door = '';
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  tell(client: string, event: string, fields: Record<string, unknown>): void {
    const at = Date.UTC(2026, 0, 1) + ++calls * 1000;
    const payload = {
      session_id: `session ${this.door}`,
      cwd: this.#root,
      hook_event_name: event,
      tool_use_id: `toolu_${calls}`,
      ...fields,
    };
    const name = `${Math.floor(at / 1000)}.${String(calls).padStart(9, '0')}.1.${'0'.repeat(32)}`;
    this.#events.push(
      ...(agents.eventsOf({ client, payload: Buffer.from(JSON.stringify(payload)), name, at }) ?? []),
    );
  }

  async record(graph: OpenGraph): Promise<void> {
    while (this.#events.length > 0)
      await graph.spawn('trace_ingest', null, { events: this.#events.splice(0, LIMITS.journalBatch.max) });
  }
}

/** Everything that hooks of agents tell. */
function doorsOfHooks(hooks: Hooks, root: string): Door[] {
  const claude = (
    name: string,
    event: string,
    fields: (text: string) => Record<string, unknown>,
    more = {},
  ): Door => ({
    name: `claude ${name}`,
    give: (text) => hooks.tell('claude', event, fields(text)),
    ...more,
  });
  const used = (
    name: string,
    tool_name: string,
    fields: (text: string) => Record<string, unknown>,
    more = {},
  ) => claude(name, 'PostToolUse', (text) => ({ tool_name, tool_response: 'done', ...fields(text) }), more);
  const qwen = (
    name: string,
    tool_name: string,
    fields: (text: string) => Record<string, unknown>,
    more = {},
  ): Door => ({
    name: `qwen ${name}`,
    give: (text) => hooks.tell('qwen', 'PostToolUse', { tool_name, ...fields(text) }),
    ...more,
  });
  const shell = (text: string) =>
    `Command: x\nDirectory: (root)\nOutput: ${text}\nError: (none)\nExit Code: 0\nSignal: 0`;
  const file = join(root, 'a.ts');
  const few = { most: 1800 };
  return [
    claude('prompt', 'UserPromptSubmit', (prompt) => ({ prompt })),
    claude('begin', 'PreToolUse', (command) => ({ tool_name: 'Bash', tool_input: { command } })),
    used('command', 'Bash', (command) => ({ tool_input: { command, description: 'd' } })),
    used('stdout', 'Bash', (stdout) => ({
      tool_input: { command: 'cat x' },
      tool_response: { stdout, stderr: '' },
    })),
    used('stderr', 'Bash', (stderr) => ({
      tool_input: { command: 'cat x' },
      tool_response: { stdout: '', stderr },
    })),
    claude('failure', 'PostToolUseFailure', (text) => ({
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      error: `Exit code 1\nError: it failed\n${text}`,
    })),
    claude('failing test', 'PostToolUseFailure', (text) => ({
      tool_name: 'Bash',
      tool_input: { command: 'npx vitest run' },
      error: `Exit code 1\n FAIL  test/a.test.ts > logs in > ${text.split('\n')[0]}\nAssertionError: expected '${text}' to be 'x'\n ❯ test/a.test.ts:3:1\n`,
    })),
    claude('refused', 'PostToolUseFailure', (error) => ({
      tool_name: 'Edit',
      tool_input: { file_path: file },
      error,
    })),
    claude(
      'first line of a failure',
      'PostToolUseFailure',
      (text) => ({
        tool_name: 'Bash',
        tool_input: { command: 'npm run x' },
        error: `Exit code 1\nError: no ${text}`,
      }),
      { most: 1, fits: ({ lines }: Shape) => !lines },
    ),
    claude('batch', 'PostToolBatch', (text) => ({
      tool_calls: [
        {
          tool_name: 'Bash',
          tool_use_id: `b${calls}`,
          tool_input: { command: text },
          tool_response: `<tool_use_error>${text}</tool_use_error>`,
        },
      ],
    })),
    used(
      'read',
      'Read',
      (content) => ({
        tool_input: { file_path: file },
        tool_response: { type: 'text', file: { filePath: file, content } },
      }),
      few,
    ),
    used('edit, old', 'Edit', (old_string) => ({
      tool_input: { file_path: file, old_string, new_string: 'x' },
      tool_response: { structuredPatch: [] },
    })),
    used('edit, new', 'Edit', (new_string) => ({
      tool_input: { file_path: file, old_string: 'x', new_string },
      tool_response: { structuredPatch: [] },
    })),
    used('edit, original', 'Edit', (text) => ({
      tool_input: { file_path: file, old_string: 'x', new_string: 'y' },
      tool_response: {
        originalFile: `x\n${text}`,
        oldString: 'x',
        newString: `y\n${text}`,
        structuredPatch: [
          {
            oldStart: 1,
            oldLines: 1,
            newStart: 1,
            newLines: 2,
            lines: ['-x', ...text.split('\n').map((line) => `+${line}`)],
          },
        ],
      },
    })),
    used('several edits', 'MultiEdit', (text) => ({
      tool_input: {
        file_path: file,
        edits: [
          { old_string: text, new_string: 'x' },
          { old_string: 'y', new_string: text },
        ],
      },
    })),
    used('written file', 'Write', (content) => ({
      tool_input: { file_path: file, content },
      tool_response: { type: 'create', content, structuredPatch: [] },
    })),
    used('page, prompt', 'WebFetch', (prompt) => ({ tool_input: { url: 'https://example.com', prompt } })),
    used(
      'page',
      'WebFetch',
      (result) => ({
        tool_input: { url: 'https://example.com' },
        tool_response: { bytes: 1, code: 200, result },
      }),
      few,
    ),
    used(
      'search',
      'Grep',
      (content) => ({ tool_input: { pattern: 'x' }, tool_response: { mode: 'content', content } }),
      few,
    ),
    used('pattern', 'Grep', (pattern) => ({ tool_input: { pattern } })),
    used('agent', 'Task', (text) => ({
      tool_input: { prompt: text, description: 'd' },
      tool_response: { content: [{ type: 'text', text }] },
    })),
    used('plan', 'TodoWrite', (content) => ({ tool_input: { todos: [{ content, status: 'pending' }] } })),
    used('notebook', 'NotebookEdit', (new_source) => ({ tool_input: { notebook_path: file, new_source } })),
    used('MCP input', 'mcp__x__y', (text) => ({ tool_input: { q: text, deep: [{ nested: { text } }] } })),
    used('MCP input, a text', 'mcp__x__y', (tool_input) => ({ tool_input })),
    used('MCP text', 'mcp__x__y', (text) => ({
      tool_input: {},
      tool_response: [
        { type: 'text', text },
        { type: 'text', text: 'end' },
      ],
    })),
    used('MCP structure', 'mcp__x__y', (text) => ({
      tool_input: {},
      tool_response: { structuredContent: { rows: [{ text }] } },
    })),
    claude('summary', 'Stop', (last_assistant_message) => ({ last_assistant_message })),
    claude('summary of a failure', 'StopFailure', (last_assistant_message) => ({ last_assistant_message })),
    claude('checkpoint', 'Stop', (checkpoint_file) => ({ checkpoint_file, last_assistant_message: 'x' }), {
      fits: token,
      most: 1,
    }),
    used('name of a tool', 'x', (tool_name) => ({ tool_name, tool_input: {} }), { fits: token, most: 1 }),
    used(
      'name of a parameter',
      'mcp__x__y',
      (text) => ({ tool_input: { [text]: 1, deep: { [text]: 'x' } } }),
      { fits: token, most: 1 },
    ),
    used(
      'names of calls',
      'Bash',
      (text) => ({ tool_input: { command: 'ls' }, tool_use_id: text, agent_id: text, prompt_id: text }),
      { fits: token, most: 1 },
    ),
    claude('session', 'UserPromptSubmit', (session_id) => ({ session_id, prompt: 'x' }), {
      fits: token,
      most: 1,
    }),
    claude(
      'transcript',
      'UserPromptSubmit',
      (text) => ({ session_id: '', transcript_path: `/x/${text}.jsonl`, prompt: 'x' }),
      { fits: (shape: Shape, made: Made) => token(shape, made) && !made.text.includes('/'), most: 1 },
    ),
    used(
      'path',
      'Edit',
      (text) => ({ tool_input: { file_path: `${root}/${text}.ts`, old_string: 'a', new_string: 'b' } }),
      { fits: token, most: 1 },
    ),
    used('folder', 'Bash', (text) => ({ tool_input: { command: `cd /${text} && ls` }, cwd: `/x/${text}` }), {
      fits: token,
      most: 1,
    }),
    qwen('command', 'run_shell_command', (command) => ({
      tool_input: { command, description: command },
      tool_response: { llmContent: shell('x') },
    })),
    qwen('output', 'run_shell_command', (text) => ({
      tool_input: { command: 'cat x' },
      tool_response: { llmContent: shell(text), returnDisplay: text },
    })),
    qwen('failure', 'run_shell_command', (text) => ({
      tool_input: { command: 'cat x' },
      tool_response: { llmContent: shell('x').replace('(none)', text).replace('Code: 0', 'Code: 1') },
    })),
    qwen(
      'read',
      'read_file',
      (llmContent) => ({ tool_input: { absolute_path: file }, tool_response: { llmContent } }),
      few,
    ),
    qwen('written file', 'write_file', (content) => ({
      tool_input: { file_path: file, content },
      tool_response: { llmContent: 'ok', returnDisplay: { newContent: content, fileDiff: `+${content}` } },
    })),
    qwen('error of a tool', 'mcp__x__y', (message) => ({
      tool_input: {},
      tool_response: { llmContent: 'x', error: { message } },
    })),
    {
      name: 'qwen prompt',
      give: (submitted_prompt) =>
        hooks.tell('qwen', 'UserPromptSubmit', { submitted_prompt, prompt: submitted_prompt }),
    },
  ];
}

/** The tools that record. */
function doorsOfTools(graph: OpenGraph, hooks: Hooks, folder: string): Door[] {
  const spawn = (name: string, input: Record<string, unknown>) => graph.spawn(name, null, input);
  const log = (kind: string, payload: Record<string, unknown>, more = {}) =>
    spawn('etg_log_event', { kind, payload, session_id: hooks.door, ...more });
  const store = (more: Record<string, unknown>) =>
    spawn('memory_store', {
      type: 'fix',
      title: `what helped ${++calls}`,
      content: `it was ${calls}`,
      anyway: true,
      ...more,
    });
  const door = (name: string, give: (text: string) => Promise<unknown>, more: Partial<Door> = {}): Door => ({
    name,
    give,
    ...more,
  });
  const short = { fits: token, most: 1 };
  return [
    door('log prompt', (user_prompt) => log('task_start', { user_prompt })),
    door('log tags', (tag) => log('task_start', { user_prompt: 'x', tags: [tag], client: tag }), {
      most: 1,
      fits: (_, { text }) => text.length <= LIMITS.traceName.max,
    }),
    door('log summaries', (text) => log('step', { order: 1, role: 'editing', llm_summary: text })),
    door('log parameters', (text) =>
      log('tool_start', { tool_name: 'x', params_json: { text, deep: [{ text }] } }),
    ),
    door('log parameters as JSON', (text) =>
      log('tool_start', { tool_name: 'x', params_json: JSON.stringify({ text }) }),
    ),
    door('log parameters as a text', (text) => log('tool_start', { tool_name: 'x', params_json: text })),
    door('log output', (text) =>
      log('tool_end', { tool_name: 'x', success: true, stdout: text, stderr: text }),
    ),
    door('log error', (text) =>
      log('error', {
        error_type: 'runtime_error',
        message: text,
        raw_log_excerpt: text,
        tests: [text],
      }),
    ),
    door('log end', (summary) => log('task_end', { status: 'success', summary })),
    door('log words', (text) => log('error', { error_type: text, message: 'x' }), short),
    door('log role', (text) => log('step', { order: 1, role: text }), short),
    door('log status', (text) => log('task_end', { status: text }), short),
    door('log checkpoint', (text) => log('checkpoint', { checkpoint_file: text, created_at: text }), short),
    door(
      'log names',
      (text) =>
        log(
          'tool_end',
          { tool_name: text, success: false },
          { task_id: text, step_id: text, tool_id: text, event_id: text, session_id: text, ts: text },
        ),
      short,
    ),
    door(
      'log files',
      (text) => log('tool_end', { tool_name: 'x', success: true, files_touched: [text, `src/${text}`] }),
      short,
    ),
    door('memory title', (title) => store({ title }), {
      most: 1,
      fits: (_, { text }) => text.length <= LIMITS.memoryTitle.max,
    }),
    door('memory content', (content) => store({ content })),
    door('memory summary', (summary) => store({ summary }), {
      most: 900,
      fits: (_, { text }) => text.length <= LIMITS.memorySummary.max,
    }),
    door('memory tag', (tag) => store({ tags: [tag] }), {
      most: 1,
      fits: (_, { text }) => text.length <= LIMITS.memoryTag.max,
    }),
    door(
      'memory context',
      (text) =>
        store({
          context: { git_branch: text, session_id: text, technologies: [text], files_involved: [text] },
        }),
      { most: 1800 },
    ),
    door('memory relation', (context) =>
      spawn('memory_link', {
        from_memory_id: 'mem-a',
        to_memory_id: 'mem-b',
        relationship_type: 'SOLVES',
        context,
      }),
    ),
    door(
      'memory outcome',
      (evidence) => spawn('memory_outcome', { memory_id: 'mem-a', success: true, evidence }),
      { most: 900, fits: (_, { text }) => text.length <= LIMITS.memoryEvidence.max },
    ),
    door('memory update', (content) => spawn('memory_update', { memory_id: 'mem-b', content })),
    door('memory id', (memory_id) => store({ memory_id }).catch(() => undefined), short),
    door('memory about', (about) => store({ about: [about] }).catch(() => undefined), short),
    door('memory search', (query) => spawn('memory_search', { query }), {
      most: 900,
      fits: (_, { text }) => text.length <= LIMITS.memoryQuery.max,
    }),
    door(
      'concept',
      (text) =>
        spawn('graph_add_concept', {
          label: text.length > 400 ? 'x' : text,
          description: text,
          source: 'user',
        }).catch(() => undefined),
      { most: 400 },
    ),
    door('attempts', (query) => spawn('etg_query_similar_attempts', { query })),
    door('search', (query) => spawn('search_code', { query })),
    door('cypher', (text) => spawn('query_cypher', { query: 'RETURN $x', parameters: { x: text } })),
    door('hook question', (prompt) =>
      spawn('trace_ingest', {
        events: [],
        question: { session_id: 'one-session', moment: 'prompt', prompt },
      }),
    ),
    imported(graph, folder),
  ];
}

/** A file that another checkout exported. */
function imported(graph: OpenGraph, folder: string): Door {
  const file = join(folder, 'memories.jsonl');
  return {
    name: 'memory import',
    most: 1,
    fits: (_, { text }) => text.length <= LIMITS.memorySummary.max,
    async give(text) {
      const memory = {
        type: 'fix',
        title: `imported ${++calls}`,
        content: text,
        summary: text,
        tags: text.length > LIMITS.memoryTag.max ? [] : [text],
      };
      const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
      writeFileSync(
        file,
        `${JSON.stringify({ record: 'memory', id: `mem-import-${calls}`, version: 1, ...memory, ...times, evidence: [text] })}\n`,
      );
      await graph.spawn('memory_import', null, { file, skip_invalid: true });
    },
  };
}

/** Gives every shape to a door, as many at once as stay whole, with lines of something else between. */
async function through(door: Door, told: Told[], shapes: readonly Shape[], nth: number): Promise<void> {
  let texts: string[] = [];
  let length = 0;
  const give = async () => {
    if (texts.length > 0) await door.give(texts.join('\n\nthe next one\n\n'));
    texts = [];
    length = 0;
  };
  for (const [at, shape] of shapes.entries()) {
    // Of shapes beside names every fourth, of others half; where each text is an event of its own, a quarter of that.
    // Other doors take the others.
    if ((at + nth) % ((shape.bare ? 2 : 4) * (door.most === 1 ? 4 : 1)) !== 0) continue;
    let made = shape.make(random);
    for (let more = 9; more > 0 && made.cores.some((core) => DRAWN.has(core)); more--)
      made = shape.make(random);
    if (door.fits && !door.fits(shape, made)) continue;
    if (length > 0 && length + made.text.length > (door.most ?? MOST)) await give();
    texts.push(made.text);
    length += made.text.length + 20;
    for (const core of made.cores)
      if (core.length >= LEAST && !DRAWN.has(core)) told.push({ core, door: door.name, shape });
    for (const core of made.cores) DRAWN.add(core);
  }
  await give();
}

/** Every file below a folder, and the records of its stores as they are decoded. */
async function bytesBelow(folder: string): Promise<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const parts: Uint8Array[] = files.map((file) => readFileSync(file));
  for (const store of files.filter((file) => basename(file) === 'CURRENT').map((file) => dirname(file))) {
    const level = new Level<Uint8Array, Uint8Array>(store, { keyEncoding: 'view', valueEncoding: 'view' });
    for await (const [key, value] of level.iterator()) {
      parts.push(key, value);
      // Groups of documents of the text index: behind a mark, from anywhere.
      for (
        let at = value.indexOf(1);
        value.length > 300 && at >= 0 && at < 4000;
        at = value.indexOf(1, at + 1)
      ) {
        try {
          parts.push(inflateRawSync(value.subarray(at + 1)));
        } catch {
          // Not compressed from here.
        }
      }
    }
    await level.close();
  }
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')])).toString('utf8');
}

/** Those told that are in a text, of long ones a part of them; found in one pass over it. */
function leaked(text: string, told: readonly Told[]): Map<Told, string> {
  const needles = new Map<string, { readonly part: string; readonly of: Told }[]>();
  for (const of of told)
    for (const spelling of new Set([of.core, JSON.stringify(of.core).slice(1, -1)]))
      for (const part of partsOf(spelling)) {
        const key = part.slice(0, LEAST);
        needles.set(key, [...(needles.get(key) ?? []), { part, of }]);
      }
  const found = new Map<Told, string>();
  for (let at = 0; at + LEAST <= text.length; at++)
    for (const { part, of } of needles.get(text.slice(at, at + LEAST)) ?? [])
      if (!found.has(of) && text.startsWith(part, at)) found.set(of, text.slice(at - 60, at + 20));
  return found;
}

/** A secret as a whole; of a long one its start, its middle and its end. */
function partsOf(core: string): string[] {
  return core.length < 24
    ? [core]
    : [0, core.length >> 1, core.length].map((at) => core.slice(Math.min(at, core.length - 16)).slice(0, 16));
}

test('no secret is stored, whatever the door', async () => {
  const [home, folder] = [scratch(), scratch()];
  const root = write({ 'a.ts': 'export function alpha(): void {}\n' });
  const graph = await open(root, home);
  await graph.spawn('graph_index_project', null, {});
  for (const memory_id of ['mem-a', 'mem-b'])
    await graph.spawn('memory_store', null, { memory_id, type: 'fix', title: memory_id, content: memory_id });
  const hooks = new Hooks(root);
  const told: Told[] = [];
  const doors = [...doorsOfHooks(hooks, root), ...doorsOfTools(graph, hooks, folder)];
  for (const [nth, door] of doors.entries()) {
    hooks.door = door.name;
    await through(door, told, COUNTED, nth);
    await hooks.record(graph);
  }
  const out = (await graph.spawn('graph_export', null, { layer: 'all' })).reports
    .map((line) => JSON.stringify(line))
    .join('\n');
  await graph.close();
  const bytes = await bytesBelow(home);
  expect(bytes).toContain('the next one');
  const leaks = [...leaked(`${bytes}\n${out}`, told)].map(([{ door, shape }, around]) => ({
    bare: shape.bare,
    shown: `${door}: ${shape.name}: …${around}…`,
  }));
  for (const [isBare, most] of [
    [true, 0],
    [false, MOST_BESIDE],
  ] as const) {
    const found = leaks.filter(({ bare }) => bare === isBare).map(({ shown }) => shown);
    const given = told.filter(({ shape }) => shape.bare === isBare).length;
    expect(found.length > most * given ? found : []).toEqual([]);
  }
}, 600_000);

test('no part of a secret is stored where a text is cut', async () => {
  const home = scratch();
  const root = write({ 'a.ts': '' });
  const graph = await open(root, home);
  const hooks = new Hooks(root);
  const told: { readonly core: string; readonly place: string }[] = [];
  const tokens = COUNTED.filter(({ name }) => /^(?:ghp_|npm_|glpat-«u:20»)/u.test(name));
  const log = (kind: string, payload: Record<string, unknown>) =>
    graph.spawn('etg_log_event', null, { kind, payload, session_id: hooks.door });
  const used = (tool_name: string, fields: Record<string, unknown>, event = 'PostToolUse') =>
    hooks.tell('claude', event, { tool_name, tool_input: { command: 'x' }, ...fields });
  /** How a text is given, and the lengths at which it may be cut. */
  const cuts: Record<string, readonly [give: (text: string) => unknown, ...lengths: number[]]> = {
    prompt: [(prompt) => hooks.tell('claude', 'UserPromptSubmit', { prompt }), 10_000],
    summary: [(text) => hooks.tell('claude', 'Stop', { last_assistant_message: text }), 10_000],
    stdout: [(stdout) => used('Bash', { tool_response: { stdout, stderr: '' } }), 16_000],
    stderr: [(stderr) => used('Bash', { tool_response: { stdout: '', stderr } }), 16_000],
    read: [(content) => used('Read', { tool_response: { file: { content } } }), 1000],
    command: [(command) => used('Bash', { tool_input: { command } }), 1000, 16_000],
    parameters: [
      (text) => used('x', { tool_input: { one: text, two: text, more: [text, text] } }),
      100,
      1000,
      8000,
      16_000,
    ],
    failure: [
      (text) => used('Bash', { error: `Exit code 1\nError: ${text}` }, 'PostToolUseFailure'),
      200,
      299,
      500,
      1000,
      2000,
      4000,
      16_000,
      50_000,
    ],
    'failure of a tool': [(error) => used('Edit', { error }, 'PostToolUseFailure'), 300, 1000, 2000, 16_000],
    'failing test': [
      (text) =>
        used(
          'Bash',
          { error: `Exit code 1\n FAIL  a.test.ts > ${text}\nAssertionError: ${text}\n` },
          'PostToolUseFailure',
        ),
      300,
      500,
      1000,
      2000,
    ],
    message: [(message) => log('error', { error_type: 'runtime_error', message }), 5000],
    excerpt: [
      (text) => log('error', { error_type: 'runtime_error', message: 'x', raw_log_excerpt: text }),
      16_000,
    ],
    tags: [(tag) => log('task_start', { user_prompt: 'x', tags: [tag] }), 250],
    tests: [(text) => log('error', { error_type: 'test_failure', message: 'x', tests: [text] }), 250],
    tool: [(tool_name) => log('tool_end', { tool_name, success: true }), 250],
    concept: [
      (text) => graph.spawn('graph_add_concept', null, { label: `c ${++calls}`, description: text }),
      10_000,
    ],
  };
  for (const [door, [give, ...lengths]] of Object.entries(cuts)) {
    hooks.door = door;
    for (const length of lengths)
      for (const [at, { make }] of tokens.entries())
        for (const back of [16, 32])
          for (const side of ['start', 'end']) {
            const { text, cores } = make(random);
            const near = 'lorem ipsum '.repeat(length / 12 + 5).slice(0, length - back - at);
            const far = 'dolor sit '.repeat(Math.max(200, length / 4));
            await give(side === 'start' ? `${near} ${text} ${far}` : `${far} ${text} ${near}`);
            for (const core of cores)
              told.push({ core, place: `${door}, ${length - back} from the ${side}` });
          }
    await hooks.record(graph);
  }
  await graph.close();
  const bytes = await bytesBelow(home);
  const PART = 9;
  const parts = new Map<string, string>();
  for (const { core, place } of told)
    for (let at = 0; at + PART <= core.length; at++) parts.set(core.slice(at, at + PART), place);
  const found = new Set<string>();
  for (let at = 0; at < bytes.length; at++) {
    const place = parts.get(bytes.slice(at, at + PART));
    if (place !== undefined) found.add(place);
  }
  expect(bytes).toContain('lorem');
  expect([...found]).toEqual([]);
}, 300_000);

test('no secret of source, settings, a commit or a branch is stored', async () => {
  const home = scratch();
  const told: Told[] = [];
  const [shape] = SHAPES.filter(({ name }) => name.startsWith('ghp_'));
  if (!shape) throw new Error('the table has no such token');
  /** A new token, by where it stands. */
  const t = (door: string): string => {
    const { text, cores } = shape.make(random);
    told.push(...cores.map((core) => ({ core, door, shape })));
    return text;
  };
  const root = write({
    'a.ts': `/** File ${t('file doc')} */
import { x } from './${t('import')}';
/** Doc ${t('doc')} */
export function alpha(a = '${t('default')}', b: '${t('type')}'): '${t('returned type')}' { // TODO ${t('todo')}
  return beta('a\\n${t('argument')}', { '${t('name of a key')}': '${t('value')}' });
}
@dec('${t('decorator')}')
export class Gamma extends H('${t('base')}') { ['${t('name of a method')}']() {} f = '${t('field')}'; }
export const beta = 'https://user:${t('URL')}@example.org/', pem = \`
-----BEGIN PRIVATE KEY-----\\n${t('key')}${t('key')}\\n${t('key')}\\n-----END PRIVATE KEY-----\`;
app.get('/x/${t('route')}', alpha);
function ${t('function')}() {}
`,
    'b.py': `"""${t('module doc')}"""
@dec("${t('decorator')}")
def d(a="${t('default')}") -> "${t('returned type')}":
    """${t('docstring')}"""
    # FIXME ${t('fixme')}
    return e("${t('argument')}")
TOKEN = "${t('constant')}"
`,
    'a.test.ts': `describe('${t('suite')}', () => { it('${t('case')}', () => { alpha(); }); });\n`,
    'c.vue': `<script setup>\n/** ${t('doc')} */\nconst u = alpha('${t('argument')}');\n</script>\n<template><p>${t('text')}</p></template>\n`,
    'package.json': JSON.stringify({
      description: t('description'),
      scripts: { test: `x ${t('script')}`, [t('name of a script')]: 'y' },
      dependencies: { d: `git+https://${t('dependency')}@github.com/x/y` },
    }),
    's.yaml': `plain: ${t('value')}\n${t('key')}: 1\nlist:\n  - ${t('item')}\n# ${t('comment')}\n`,
    'p.toml': `[x]\ny = "${t('value')}"\n["${t('table')}"]\nz = 1\n`,
    'README.md': `# H ${t('heading')}\n\n${t('text')}\n`,
  });
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', root, '-c', `user.name=a ${t('author')}`, '-c', 'user.email=a@b', ...words], {
      stdio: 'pipe',
    });
  git('init', '-qb', `feature/${t('branch')}`);
  git('remote', 'add', 'origin', `https://x:${t('remote')}@github.com/a/b`);
  git('add', '-A');
  git('commit', '-qm', `alpha ${t('subject')}`, '-m', `Why ${t('body')}`);
  const graph = await open(root, home);
  await graph.spawn('graph_index_project', null, {});
  await graph.spawn('memory_store', null, { type: 'fix', title: 'a title', content: 'stays' });
  await graph.spawn('etg_log_event', null, {
    kind: 'task_start',
    payload: { user_prompt: 'x', git_branch: t('branch of a task'), [t('field')]: t('value of it') },
    session_id: 's',
  });
  await graph.close();
  const bytes = await bytesBelow(home);
  expect(bytes).toContain('stays');
  expect(bytes).toContain('FIXME');
  expect([...leaked(bytes, told)].map(([{ door }, around]) => `${door}: …${around}…`)).toEqual([]);
});
