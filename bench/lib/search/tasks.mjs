// A long history of tasks, the same for the same seed: prompts whose words are as unevenly used as in real ones,
// files of which a few are touched all the time, failing tests with what mended them.
import { generator } from '../measure.mjs';

const PARTS = [
  'auth',
  'cart',
  'order',
  'user',
  'token',
  'page',
  'route',
  'batch',
  'report',
  'image',
  'rule',
  'session',
];
const KINDS = [
  'service',
  'store',
  'view',
  'parser',
  'client',
  'queue',
  'cache',
  'model',
  'handler',
  'policy',
];
const VERBS = [
  'load',
  'parse',
  'render',
  'merge',
  'check',
  'send',
  'find',
  'split',
  'store',
  'apply',
  'resolve',
];
const WANTED = [
  'Fix',
  'Add',
  'Remove',
  'Rename',
  'Support',
  'Refactor',
  'Speed up',
  'Document',
  'Test',
  'Handle',
];
const WORDS = 12_000;
const FILES = 3000;
const DAY = 86_400_000;

/** Events of `count` tasks, oldest first, in the form that `trace_ingest` takes. */
export function* tasks(count, seed = 11) {
  const random = generator(seed);
  const world = worldOf(random);
  for (let at = 0; at < count; at++) yield taskEvents(at, world, random);
}

/** Questions of the kinds that are asked: prompts, prompts with files, failing outputs. */
export function questions(count, seed = 23) {
  const random = generator(seed);
  const world = worldOf(generator(11));
  return Array.from({ length: count }, (_, at) => {
    const { files, prompt } = workOf(world, random);
    if (at % 3 === 0) return { kind: 'prompt', input: { query: prompt } };
    if (at % 3 === 1) return { kind: 'prompt and files', input: { query: prompt, file_paths: files } };
    return { kind: 'failing output', input: { query: failureIn(files[0], world, random) } };
  });
}

/** Words and files; the first are used most (Zipf's law). */
function worldOf(random) {
  const syllables = [
    'ba',
    'cor',
    'del',
    'fi',
    'gra',
    'hel',
    'in',
    'jo',
    'ka',
    'lum',
    'mer',
    'no',
    'pra',
    'qui',
    'ros',
    'ti',
    'ul',
    'ver',
    'xo',
    'zan',
  ];
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words = Array.from({ length: WORDS }, () => pick(syllables) + pick(syllables) + pick(syllables));
  const files = Array.from(
    { length: FILES },
    (_, n) => `src/${PARTS[n % PARTS.length]}/${pick(KINDS)}${n}.${n % 3 === 0 ? 'py' : 'ts'}`,
  );
  return { words, files };
}

function workOf({ words, files }, random) {
  const often = (list) => list[Math.floor(list.length ** random()) - 1] ?? list[0];
  const pick = (list) => list[Math.floor(random() * list.length)];
  const touched = [...new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, () => often(files)))];
  const about = touched[0].replace(/^.*\/|\.\w+$/g, '');
  const rest = Array.from({ length: 6 + Math.floor(30 * random() ** 2) }, () => often(words));
  const names = touched.map(() => `${pick(VERBS)}_${often(words)}`);
  return { files: touched, names, prompt: `${pick(WANTED)} ${names[0]} of ${about}\n${rest.join(' ')}` };
}

function failureIn(file, { words }, random) {
  const often = (list) => list[Math.floor(list.length ** random()) - 1] ?? list[0];
  const about = file.replace(/^.*\/|\.\w+$/g, '');
  const tests = Array.from(
    { length: 1 + Math.floor(3 * random() ** 2) },
    () => `test_${about}_${often(words)}`,
  );
  const reason = `AssertionError: expected ${often(words)} of ${about}, got ${often(words)}`;
  return [
    ...tests.flatMap((test) => [
      `____ ${test} ____`,
      `    def ${test}():`,
      `>       assert ${often(words)}(${about}) == ${often(words)}`,
      `E   ${reason}`,
      `${file}:${Math.floor(random() * 300)}: AssertionError`,
    ]),
    ...tests.map((test) => `FAILED tests/test_${about}.py::${test} - ${reason}`),
    `${tests.length} failed in 0.12s`,
  ].join('\n');
}

function taskEvents(at, world, random) {
  const { files, names, prompt } = workOf(world, random);
  const begun = Date.UTC(2023, 0, 1) + at * (DAY / 90);
  const events = [];
  const told = (kind, payload, more = {}) =>
    events.push({
      event_id: `${at}-${events.length}`,
      task_id: `bench-${at}`,
      ts: begun + events.length * 1000,
      at: begun,
      kind,
      payload,
      ...more,
    });
  told('task_start', { user_prompt: prompt });
  told('step', { order: 0, role: 'editing' });
  if (random() < 0.3) {
    const call = { tool_id: 'run' };
    told('tool_start', { tool_name: 'shell', params_json: { command: 'pytest' } }, call);
    told(
      'tool_end',
      { tool_name: 'shell', success: false, stdout: failureIn(files[0], world, random) },
      call,
    );
  }
  for (const [n, file] of files.entries()) {
    const params_json = { file_path: file, symbols: [names[n]] };
    told(
      'tool_end',
      { tool_name: 'edit', success: true, params_json, files_touched: [file] },
      { tool_id: `edit-${n}` },
    );
  }
  told('task_end', { status: random() < 0.9 ? 'success' : 'failed' });
  return events;
}
