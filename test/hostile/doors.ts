import { CypherError } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';
import {
  failureTerms,
  fingerprintOf,
  isAgentSlip,
  isDistinctive,
  parseFailure,
  purposeOf,
  readsOnly,
  reasonKey,
  scopeOf,
  testKeys,
  verificationsOf,
} from '../../failures/index.js';
import { commitTopics } from '../../graphs/code/history/commit-concepts.js';
import { questionOf } from '../../graphs/code/index.js';
import { wordsOf } from '../../graphs/memory/index.js';
import { changedLines, NamedConcepts, placesIn, readEvent, toolUse } from '../../graphs/trace/index.js';
import { AGENTS, agents } from '../../hooks/index.js';
import { parseEntry } from '../../host/journal/entry.js';
import { quotedBlock, quotedName, shownLine } from '../../present/index.js';
import { CodewalkError, type EventKind } from '../../schema/index.js';
import { Words } from '../../search/index.js';
import { masked, secretSpans } from '../../source/index.js';
import { jsonWithComments } from '../../source/resolution/npm/json-comments.js';
import { formatNotes, quoted } from '../../walkers/hooks/notes.js';
import { namedFiles } from '../../walkers/hooks/recalled-notes.js';
import { filled } from '../hooks/filled.js';

/** A way by which texts of others come in: the function that takes them apart. */
export interface Door {
  readonly name: string;
  /** Makes the input of a text; what comes back takes it. What that throws may be an answer, too: see {@link refuses}. */
  given(text: string): () => unknown;
}

const words = new Words();
const placeOf = placesIn('/work/project');

/** Whether an error is what a door says of a text, and no fault of its own. */
export function refuses(thrown: unknown): boolean {
  return (
    thrown instanceof CypherError || (thrown instanceof CodewalkError && thrown.code === 'INVALID_INPUT')
  );
}

const bash = (command: string) => ({ tool_name: 'Bash', cwd: '/a', tool_input: { command } });
const failed = (payload: object, error: string) => ({
  ...payload,
  hook_event_name: 'PostToolUseFailure',
  error,
});
const output = (stdout: string) => ({ tool_response: { stdout, stderr: stdout } });

/** Payloads of hooks with a text in their places, by the event and the place. */
const PAYLOADS: Readonly<Record<string, object>> = {
  'a prompt': { hook_event_name: 'UserPromptSubmit', prompt: '«text»' },
  'a result': { ...bash('ls'), tool_response: '«text»' },
  'an output': { ...bash('npm test'), ...output('«text»') },
  "Qwen's output": { ...bash('npm test'), tool_response: { llmContent: 'Error: x\n«text»' } },
  'a failure': failed(bash('npm test'), '«text»'),
  "a tool's failure": failed({ tool_name: 'WebFetch', tool_input: { command: 'x' } }, '«text»'),
  'a command': failed(bash('«text»'), 'Exit code 1\nno'),
  'a command that ran': { ...bash('«text»'), ...output('[main 1a2b3c4] x') },
  'an edit': {
    tool_name: 'Edit',
    tool_input: { file_path: 'a.ts', old_string: '«text»', new_string: '«text»x' },
    tool_response: {
      oldString: '«text»',
      newString: '«text»x',
      originalFile: '«text»',
      structuredPatch: [{ newStart: 1, lines: ['«text»'] }],
      returnDisplay: { fileDiff: '«text»', newContent: '«text»' },
    },
  },
  'a path': { hook_event_name: 'PreToolUse', tool_name: 'other', tool_input: { path: '«text»' }, cwd: '/a' },
  'an answer': { hook_event_name: 'Stop', last_assistant_message: '«text»' },
  names: {
    ...{ hook_event_name: 'Stop', session_id: '«text»', cwd: '«text»' },
    ...{ tool_use_id: '«text»', prompt_id: '«text»' },
  },
};

/** Events as the journal and `etg_log_event` take them. */
const EVENTS: readonly { kind: EventKind; payload: object }[] = [
  { kind: 'task_start', payload: { user_prompt: '«text»', tags: ['«text»'] } },
  { kind: 'step', payload: { order: 1, role: '«text»', llm_summary: '«text»' } },
  { kind: 'tool_start', payload: { tool_name: 'x', params_json: { a: ['«text»'] } } },
  { kind: 'tool_end', payload: { tool_name: 'x', success: false, stdout: '«text»' } },
  { kind: 'error', payload: { error_type: '«text»', message: '«text»', tests: ['«text»'] } },
  { kind: 'error', payload: { error_type: 'x', message: 'x', raw_log_excerpt: '«text»' } },
  { kind: 'checkpoint', payload: { checkpoint_file: '«text»', created_at: '«text»' } },
  { kind: 'task_end', payload: { status: 'done', summary: '«text»' } },
];

const CLIENTS = AGENTS.map(({ name }) => name);

/** All of them. */
export const DOORS: readonly Door[] = [
  ...CLIENTS.flatMap((client) =>
    Object.entries(PAYLOADS).map(([name, template]) => ({
      name: `a hook of ${client} with ${name}`,
      given: (text: string) => {
        const hook = { session_id: 's', hook_event_name: 'PostToolUse', tool_use_id: 't', ...template };
        const payload = Buffer.from(JSON.stringify(filled(hook, text)));
        return () => [
          agents.eventsOf({ client, payload, name: 'n', at: 1 }),
          agents.questionOf({ client, payload }),
        ];
      },
    })),
  ),
  ...CLIENTS.map((client) => ({
    name: `a hook of ${client} whose payload it is`,
    given: (text: string) => () => agents.eventsOf({ client, payload: Buffer.from(text), name: 'n', at: 1 }),
  })),
  ...EVENTS.map(({ kind, payload }) => ({
    name: `an event ${kind} with ${Object.keys(payload).join(', ')}`,
    given: (text: string) => () =>
      readEvent({ kind, payload: filled(payload, text), session_id: text, ts: text }, { placeOf, now: 1 }),
  })),
  { name: 'a file of the journal', given: (text) => () => parseEntry(Buffer.from(text)) },
  { name: 'what is masked', given: (text) => () => [masked(text), secretSpans(text).length] },
  {
    name: 'a failing output that is asked with',
    given: (text) => () => failureTerms(parseFailure(cut(text), { isShell: true })),
  },
  {
    name: 'a command that is asked with',
    given: (text) => () => [verificationsOf(text), purposeOf(text), readsOnly(text), scopeOf(text)],
  },
  {
    name: 'a message that is asked with',
    given: (text) => () => [isDistinctive(text), isAgentSlip(text, true)],
  },
  {
    name: 'a message and a test that are recorded',
    given: (text) => () => [fingerprintOf(text, [text]), reasonKey(text), testKeys(text, text)],
  },
  {
    name: 'parameters of a tool',
    given: (text) => () => toolUse({ command: text, edits: [{ old_text: text, new_text: text }] }),
  },
  {
    name: 'a note for an agent',
    given: (text) => () =>
      formatNotes([{ what: 'x', entries: [{ text: `- ${quoted(text)}` }], keys: [text] }], 1500),
  },
  {
    name: 'an edit that is shown',
    given: (text) => () => changedLines({ removed: text, added: `${text}x` }),
  },
  { name: 'a question to search', given: (text) => () => questionOf(text) },
  { name: 'words of a text', given: (text) => () => words.of(text) },
  { name: 'words of a memory', given: (text) => () => [wordsOf(text), masked(text)] },
  {
    name: 'a text that names concepts',
    given: (text) => () => new NamedConcepts(text).names(text.slice(0, 200)),
  },
  { name: 'files that a prompt names', given: (text) => () => namedFiles(text, placeOf, NOWHERE) },
  {
    name: 'a text that is shown',
    given: (text) => () => [shownLine(text), quotedBlock(text), quotedName(text)],
  },
  {
    name: 'a commit',
    given: (text) => {
      const [body, paths] = [`${text}\n\n${text}`, ['a.ts']];
      const commit = { hash: 'a', author: 'a', at: 1, subject: text.split('\n')[0] ?? '', body, paths };
      return () => commitTopics([commit], { pause: async () => undefined });
    },
  },
  { name: 'a Cypher text', given: (text) => () => parse(text) },
  { name: 'settings with comments', given: (text) => () => jsonWithComments(text) },
];

/** Nothing is found. */
const NOWHERE = { find: async () => [], nodesOf: async () => [], projectRoot: '/work/project' };

/** Questions are cut before they are read. */
function cut(text: string): string {
  return text.length > 10_000 ? `${text.slice(0, 5000)}\n${text.slice(-5000)}` : text;
}
