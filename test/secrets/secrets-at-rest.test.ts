import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { agents } from '../../hooks/index.js';
import type { OpenGraph } from '../../index.js';
import { LIMITS } from '../../schema/index.js';
import { filled } from '../hooks/filled.js';
import { open, scratch, write } from '../walkers/project.js';
import { type Made, randomOf, SHAPES, type Shape } from './shapes.mjs';

/** One secret that was told, and where. */
interface Told {
  readonly core: string;
  readonly door: string;
  readonly shape: Shape;
}

/** What a place takes of one text, so that nothing of it is cut away. */
interface Fit {
  /** Characters of all secrets that are given at once; 1: each by itself. Default: {@link MOST}. */
  readonly most?: number;
  /** Characters of one of them. */
  readonly longest?: number;
  /** Whether it must be one short word. */
  readonly token?: boolean;
  readonly oneLine?: boolean;
}

/** A place that takes texts from outside. */
interface Door {
  readonly name: string;
  readonly fit: Fit;
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
const TOKEN: Fit = { most: 1, token: true };
const FEW: Fit = { most: 1800 };
const alone = (longest: number): Fit => ({ most: 1, longest });

const random = randomOf(20_260_101);
let calls = 0;
/** A password of words may be drawn again, where masking misses it. */
const DRAWN = new Set<string>();

type Template = Readonly<Record<string, unknown>>;
type Payload = readonly [name: string, template: Template, fit?: Fit];

const FILE = { file_path: 'a.ts' };
const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });
const on = (hook_event_name: string, more: Template): Template => ({ hook_event_name, ...more });
const failing = (error: string, more: Template = bash('npm test')) =>
  on('PostToolUseFailure', { ...more, error });
const used = (tool_name: string, tool_input: unknown, tool_response: unknown = 'done') => ({
  tool_name,
  tool_input,
  tool_response,
});

/** What hooks of Claude Code tell. */
const CLAUDE: readonly Payload[] = [
  ['prompt', on('UserPromptSubmit', { prompt: '«text»' })],
  ['begin', on('PreToolUse', bash('«text»'))],
  ['command', bash('«text»')],
  ['stdout', { ...bash('cat x'), tool_response: { stdout: '«text»', stderr: '' } }],
  ['stderr', { ...bash('cat x'), tool_response: { stdout: '', stderr: '«text»' } }],
  ['failure', failing('Exit code 1\nError: it failed\n«text»')],
  [
    'failing test',
    failing(
      "Exit code 1\n FAIL  test/a.test.ts > logs in > «line»\nAssertionError: expected '«text»' to be 'x'\n ❯ test/a.test.ts:3:1\n",
      bash('npx vitest run'),
    ),
  ],
  ['refused', failing('«text»', { tool_name: 'Edit', tool_input: FILE })],
  ['first line of a failure', failing('Exit code 1\nError: no «text»'), { most: 1, oneLine: true }],
  [
    'batch',
    on('PostToolBatch', {
      tool_calls: [
        {
          ...used('Bash', { command: '«text»' }, '<tool_use_error>«text»</tool_use_error>'),
          tool_use_id: 'b',
        },
      ],
    }),
  ],
  ['read', used('Read', FILE, { type: 'text', file: { filePath: 'a.ts', content: '«text»' } }), FEW],
  ['edit, old', used('Edit', { ...FILE, old_string: '«text»', new_string: 'x' }, { structuredPatch: [] })],
  ['edit, new', used('Edit', { ...FILE, old_string: 'x', new_string: '«text»' }, { structuredPatch: [] })],
  [
    'edit, original',
    used(
      'Edit',
      { ...FILE, old_string: 'x', new_string: 'y' },
      {
        originalFile: 'x\n«text»',
        oldString: 'x',
        newString: 'y\n«text»',
        structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ['-x', '+«text»'] }],
      },
    ),
  ],
  [
    'several edits',
    used('MultiEdit', {
      ...FILE,
      edits: [
        { old_string: '«text»', new_string: 'x' },
        { old_string: 'y', new_string: '«text»' },
      ],
    }),
  ],
  ['written file', used('Write', { ...FILE, content: '«text»' }, { type: 'create', content: '«text»' })],
  [
    'page',
    used('WebFetch', { url: 'https://example.com', prompt: 'x' }, { code: 200, result: '«text»' }),
    FEW,
  ],
  ['search', used('Grep', { pattern: 'x' }, { mode: 'content', content: '«text»' }), FEW],
  [
    'agent',
    used('Task', { prompt: '«text»', description: 'd' }, { content: [{ type: 'text', text: '«text»' }] }),
  ],
  ['MCP input', used('mcp__x__y', { q: '«text»', deep: [{ nested: { text: '«text»' } }] })],
  ['MCP input, a text', used('mcp__x__y', '«text»')],
  [
    'MCP text',
    used(
      'mcp__x__y',
      {},
      ['«text»', 'end'].map((text) => ({ type: 'text', text })),
    ),
  ],
  ['MCP structure', used('mcp__x__y', {}, { structuredContent: { rows: [{ text: '«text»' }] } })],
  ['summary', on('Stop', { last_assistant_message: '«text»' })],
  ['summary of a failure', on('StopFailure', { last_assistant_message: '«text»' })],
  ['checkpoint', on('Stop', { checkpoint_file: '«text»', last_assistant_message: 'x' }), TOKEN],
  ['name of a tool', used('«text»', {}), TOKEN],
  ['name of a parameter', used('mcp__x__y', { '«text»': 1, deep: { '«text»': 'x' } }), TOKEN],
  [
    'names of calls',
    { ...bash('ls'), tool_use_id: '«text»', agent_id: '«text»', prompt_id: '«text»' },
    TOKEN,
  ],
  ['session', on('UserPromptSubmit', { session_id: '«text»', prompt: 'x' }), TOKEN],
  ['path', used('Edit', { file_path: 'src/«text».ts', old_string: 'a', new_string: 'b' }), TOKEN],
  ['folder', { ...bash('cd /«text» && ls'), cwd: '/x/«text»' }, TOKEN],
];

const shell = (output: string, error = '(none)', code = 0) =>
  `Command: x\nDirectory: (root)\nOutput: ${output}\nError: ${error}\nExit Code: ${code}\nSignal: 0`;
const ran = (command: string, llmContent: string) =>
  used('run_shell_command', { command, description: command }, { llmContent, returnDisplay: 'x' });

/** What those of Qwen Code tell in another way. */
const QWEN: readonly Payload[] = [
  ['prompt', on('UserPromptSubmit', { submitted_prompt: '«text»', prompt: '«text»' })],
  ['command', ran('«text»', shell('x'))],
  ['output', ran('cat x', shell('«text»'))],
  ['failure', ran('cat x', shell('x', '«text»', 1))],
  ['read', used('read_file', { absolute_path: 'a.ts' }, { llmContent: '«text»' }), FEW],
  [
    'written file',
    used(
      'write_file',
      { ...FILE, content: '«text»' },
      { llmContent: 'ok', returnDisplay: { newContent: '«text»', fileDiff: '+«text»' } },
    ),
  ],
  ['error of a tool', used('mcp__x__y', {}, { llmContent: 'x', error: { message: '«text»' } })],
];

const log = (kind: string, payload: Template, more: Template = {}): Template => ({ kind, payload, ...more });
const toolEnd = { tool_name: 'x', success: true };

/** Inputs of the tools that record, and of those that ask. */
const TOOLS: readonly (readonly [name: string, walker: string, template: Template, fit?: Fit])[] = [
  ...(
    [
      ['prompt', log('task_start', { user_prompt: '«text»' })],
      [
        'tags',
        log('task_start', { user_prompt: 'x', tags: ['«text»'], client: '«text»' }),
        alone(LIMITS.traceName.max),
      ],
      ['summaries', log('step', { order: 1, role: 'editing', llm_summary: '«text»' })],
      [
        'parameters',
        log('tool_start', { tool_name: 'x', params_json: { text: '«text»', deep: [{ text: '«text»' }] } }),
      ],
      ['parameters as a text', log('tool_start', { tool_name: 'x', params_json: '«text»' })],
      ['output', log('tool_end', { ...toolEnd, stdout: '«text»', stderr: '«text»' })],
      [
        'error',
        log('error', {
          error_type: 'runtime_error',
          message: '«text»',
          raw_log_excerpt: '«text»',
          tests: ['«text»'],
        }),
      ],
      ['end', log('task_end', { status: 'success', summary: '«text»' })],
      ['words', log('error', { error_type: '«text»', message: 'x' }), TOKEN],
      ['role', log('step', { order: 1, role: '«text»' }), TOKEN],
      ['status', log('task_end', { status: '«text»' }), TOKEN],
      ['checkpoint', log('checkpoint', { checkpoint_file: '«text»', created_at: '«text»' }), TOKEN],
      [
        'names',
        log(
          'tool_end',
          { tool_name: '«text»', success: false },
          {
            task_id: '«text»',
            step_id: '«text»',
            tool_id: '«text»',
            event_id: '«text»',
            session_id: '«text»',
            ts: '«text»',
          },
        ),
        TOKEN,
      ],
      ['files', log('tool_end', { ...toolEnd, files_touched: ['«text»', 'src/«text»'] }), TOKEN],
    ] satisfies Payload[]
  ).map(([name, template, fit = {}]: Payload) => [`log ${name}`, 'etg_log_event', template, fit] as const),
  ['memory title', 'memory_store', { title: '«text»' }, alone(LIMITS.memoryTitle.max)],
  ['memory content', 'memory_store', { content: '«text»' }],
  ['memory summary', 'memory_store', { summary: '«text»' }, { most: 900, longest: LIMITS.memorySummary.max }],
  ['memory tag', 'memory_store', { tags: ['«text»'] }, alone(LIMITS.memoryTag.max)],
  [
    'memory context',
    'memory_store',
    {
      context: {
        git_branch: '«text»',
        session_id: '«text»',
        technologies: ['«text»'],
        files_involved: ['«text»'],
      },
    },
    FEW,
  ],
  [
    'memory relation',
    'memory_link',
    { from_memory_id: 'mem-a', to_memory_id: 'mem-b', relationship_type: 'SOLVES', context: '«text»' },
  ],
  [
    'memory outcome',
    'memory_outcome',
    { memory_id: 'mem-a', success: true, evidence: '«text»' },
    { most: 900, longest: LIMITS.memoryEvidence.max },
  ],
  ['memory update', 'memory_update', { memory_id: 'mem-b', content: '«text»' }],
  ['memory id', 'memory_store', { memory_id: '«text»' }, TOKEN],
  ['memory about', 'memory_store', { about: ['«text»'] }, TOKEN],
  ['memory search', 'memory_search', { query: '«text»' }, { most: 900, longest: LIMITS.memoryQuery.max }],
  ['concept', 'graph_add_concept', { label: 'x', description: '«text»', source: 'user' }, { most: 400 }],
  [
    'name of a concept',
    'graph_add_concept',
    { label: '«text»', description: 'x', source: 'user' },
    alone(400),
  ],
  ['attempts', 'etg_query_similar_attempts', { query: '«text»' }],
  ['search', 'search_code', { query: '«text»' }],
  ['cypher', 'query_cypher', { query: 'RETURN $x', parameters: { x: '«text»' } }],
  [
    'hook question',
    'trace_ingest',
    { events: [], question: { session_id: 'one-session', moment: 'prompt', prompt: '«text»' } },
  ],
];
/** Those that may refuse a text. */
const REFUSING = new Set(['memory id', 'memory about', 'concept', 'name of a concept']);

/** A graph that events of hooks are recorded in, one session for each door: what is recorded of a task is folded. */
class Recorder {
  readonly #events: object[] = [];
  readonly graph: OpenGraph;
  readonly #root: string;
  door = '';

  constructor(graph: OpenGraph, root: string) {
    this.graph = graph;
    this.#root = root;
  }

  /** Has a client's hook wait to be recorded, as the journal would hand it on. */
  hook(client: string, fields: Template): void {
    const at = Date.UTC(2026, 0, 1) + ++calls * 1000;
    const payload = {
      session_id: `session ${this.door}`,
      cwd: this.#root,
      hook_event_name: 'PostToolUse',
      tool_use_id: `toolu_${calls}`,
      ...fields,
    };
    const name = `${Math.floor(at / 1000)}.${String(calls).padStart(9, '0')}.1.${'0'.repeat(32)}`;
    const bytes = Buffer.from(JSON.stringify(payload));
    this.#events.push(...(agents.eventsOf({ client, payload: bytes, name, at }) ?? []));
  }

  /** Gives a walker an input, completed where it needs something that is new each time. */
  spawn(walker: string, input: Template) {
    const memory = { type: 'fix', title: `what helped ${++calls}`, content: `it was ${calls}`, anyway: true };
    const more = { memory_store: memory, etg_log_event: { session_id: this.door } };
    return this.graph.spawn(walker, null, { ...more[walker as keyof typeof more], ...input });
  }

  async record(): Promise<void> {
    while (this.#events.length > 0)
      await this.spawn('trace_ingest', { events: this.#events.splice(0, LIMITS.journalBatch.max) });
  }

  doors(): Door[] {
    const hooks = (client: string, payloads: readonly Payload[]) =>
      payloads.map(([name, template, fit = {}]) => ({
        name: `${client} ${name}`,
        fit,
        give: (text: string) => this.hook(client, filled(template, text)),
      }));
    const tools = TOOLS.map(([name, walker, template, fit = {}]) => ({
      name,
      fit,
      give: (text: string) =>
        this.spawn(walker, filled(template, text)).catch((error) => {
          if (!REFUSING.has(name)) throw error;
        }),
    }));
    return [...hooks('claude', CLAUDE), ...hooks('qwen', QWEN), ...tools, importOf(this)];
  }
}

/** A file that another checkout exported. */
function importOf(recorder: Recorder): Door {
  const file = join(scratch(), 'memories.jsonl');
  const created_at = '2026-01-01T00:00:00.000Z';
  return {
    name: 'memory import',
    fit: alone(LIMITS.memorySummary.max),
    async give(text) {
      const memory = {
        ...{
          record: 'memory',
          id: `mem-import-${++calls}`,
          version: 1,
          type: 'fix',
          title: `imported ${calls}`,
        },
        ...{ content: text, summary: text, tags: text.length > LIMITS.memoryTag.max ? [] : [text] },
        ...{ created_at, updated_at: created_at, evidence: [text] },
      };
      writeFileSync(file, `${JSON.stringify(memory)}\n`);
      await recorder.spawn('memory_import', { file, skip_invalid: true });
    },
  };
}

function fits({ token, longest, oneLine }: Fit, { bare, lines }: Shape, { text }: Made): boolean {
  if (token) return bare && !lines && text.length < 80 && !/\s/u.test(text);
  return text.length <= (longest ?? MOST) && !(oneLine && lines);
}

/** Gives every shape to a door, as many at once as stay whole, with lines of something else between. */
async function through(door: Door, told: Told[], shapes: readonly Shape[], nth: number): Promise<void> {
  const { most = MOST } = door.fit;
  let texts: string[] = [];
  let length = 0;
  const give = async () => {
    if (texts.length > 0) await door.give(texts.join('\n\nthe next one\n\n'));
    texts = [];
    length = 0;
  };
  for (const [at, shape] of shapes.entries()) {
    // Of shapes beside names every eighth, of others every fourth; where each text is an event of its own, a quarter of
    // that. Other doors take the others.
    if ((at + nth) % ((shape.bare ? 4 : 8) * (most === 1 ? 4 : 1)) !== 0) continue;
    let made = shape.make(random);
    for (let more = 9; more > 0 && made.cores.some((core) => DRAWN.has(core)); more--)
      made = shape.make(random);
    if (!fits(door.fit, shape, made)) continue;
    if (length > 0 && length + made.text.length > most) await give();
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
  const home = scratch();
  const root = write({ 'a.ts': 'export function alpha(): void {}\n' });
  const graph = await open(root, home);
  await graph.spawn('graph_index_project', null, {});
  const recorder = new Recorder(graph, root);
  for (const memory_id of ['mem-a', 'mem-b']) await recorder.spawn('memory_store', { memory_id });
  const told: Told[] = [];
  for (const [nth, door] of recorder.doors().entries()) {
    recorder.door = door.name;
    await through(door, told, COUNTED, nth);
    await recorder.record();
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

const message = (text: string) => ({ error_type: 'runtime_error', message: text });

/** Where a text is given, and the lengths at which it may be cut. */
const HOOKS_THAT_CUT: readonly (readonly [name: string, template: Template, lengths: readonly number[]])[] = [
  ['prompt', on('UserPromptSubmit', { prompt: '«text»' }), [10_000]],
  ['summary', on('Stop', { last_assistant_message: '«text»' }), [10_000]],
  ['stdout', { ...bash('x'), tool_response: { stdout: '«text»', stderr: '' } }, [16_000]],
  ['stderr', { ...bash('x'), tool_response: { stdout: '', stderr: '«text»' } }, [16_000]],
  ['read', used('Read', {}, { file: { content: '«text»' } }), [1000]],
  ['command', bash('«text»'), [1000, 16_000]],
  [
    'parameters',
    used('x', { one: '«text»', two: '«text»', more: ['«text»', '«text»'] }),
    [100, 1000, 8000, 16_000],
  ],
  ['failure', failing('Exit code 1\nError: «text»'), [200, 299, 500, 1000, 2000, 4000, 16_000, 50_000]],
  ['failure of a tool', failing('«text»', { tool_name: 'Edit' }), [300, 1000, 2000, 16_000]],
  [
    'failing test',
    failing('Exit code 1\n FAIL  a.test.ts > «text»\nAssertionError: «text»\n'),
    [300, 500, 1000, 2000],
  ],
];
const EVENTS_THAT_CUT: readonly (readonly [name: string, template: Template, length: number])[] = [
  ['message', log('error', message('«text»')), 5000],
  ['excerpt', log('error', { ...message('x'), raw_log_excerpt: '«text»' }), 16_000],
  ['tags', log('task_start', { user_prompt: 'x', tags: ['«text»'] }), 250],
  ['tests', log('error', { ...message('x'), tests: ['«text»'] }), 250],
  ['tool', log('tool_end', { ...toolEnd, tool_name: '«text»' }), 250],
];

test('no part of a secret is stored where a text is cut', async () => {
  const home = scratch();
  const root = write({ 'a.ts': '' });
  const graph = await open(root, home);
  const recorder = new Recorder(graph, root);
  const told: { readonly core: string; readonly place: string }[] = [];
  const tokens = COUNTED.filter(({ name }) => /^(?:ghp_|npm_|glpat-«u:20»)/u.test(name));
  const concept = (text: string) =>
    recorder.spawn('graph_add_concept', { label: `c ${++calls}`, description: text });
  const cuts: readonly (readonly [string, (text: string) => unknown, readonly number[]])[] = [
    ...HOOKS_THAT_CUT.map(
      ([name, template, lengths]) =>
        [name, (text: string) => recorder.hook('claude', filled(template, text)), lengths] as const,
    ),
    ...EVENTS_THAT_CUT.map(
      ([name, template, length]) =>
        [name, (text: string) => recorder.spawn('etg_log_event', filled(template, text)), [length]] as const,
    ),
    ['concept', concept, [10_000]],
  ];
  for (const [door, give, lengths] of cuts) {
    recorder.door = door;
    for (const length of lengths)
      for (const [at, { make }] of tokens.entries())
        for (const back of [16, 32])
          for (const side of ['start', 'end']) {
            const { text, cores } = make(random);
            const near = 'lorem ipsum '.repeat(length / 12 + 5).slice(0, length - back - at);
            const far = 'dolor sit '.repeat(Math.max(200, length / 8));
            await give(side === 'start' ? `${near} ${text} ${far}` : `${far} ${text} ${near}`);
            for (const core of cores)
              told.push({ core, place: `${door}, ${length - back} from the ${side}` });
          }
    await recorder.record();
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
