import { changeSinceIndexed, latestConcepts } from '../../graphs/code/index.js';
import { memoriesOfFiles, rememberedAs } from '../../graphs/memory/index.js';
import {
  type Attempt,
  changeOf,
  edits,
  failureOf,
  idOf,
  isFailure,
  latestAtFile,
  readAttempts,
} from '../../graphs/trace/index.js';
import { compareText, type EdgeRef, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  Concept,
  type EdgeType,
  File,
  FileContainsSymbol,
  FileImports,
  FileMentionsConcept,
  fileId,
  grouped,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolOverridesSymbol,
  SymbolTestsSymbol,
  Task,
} from '../../schema/index.js';
import { insideRoot, isTestPath, readText } from '../../source/index.js';
import { type Entry, failureLine, listed, memoryLine, type Note, quoted, taskLine } from './notes.js';
import { type Asked, attemptKey, failuresOf, memoryKey } from './question.js';

const MOST_FILES = 3;
const MOST_MEMORIES = 2;
const MOST_CONCEPTS = 2;
/** Memories of a file that are looked at: the session may have been told of some. */
const MEMORIES_LOOKED_AT = 8;
const MOST_CALLED = 3;
const MOST_DERIVED = 2;
const MOST_USERS = 3;
const MOST_TESTS = { files: 2, names: 2 };
/** Edges of one kind that are looked at: of what everything calls the first will do. */
const MOST_EDGES = 300;
const NAME = 60;
const CALLER = 90;
const MOST_TASKS = 8;
const MOST_SYMBOLS_LOOKED_AT = 2000;
const LARGEST = 1_000_000;
const MOST_LINES = 200;

/**
 * What an agent cannot see in a file: callers, implementers and tests, then history and memories. On a read
 * history comes first.
 */
export async function fileNotes(asked: Asked): Promise<Note[]> {
  const { context, files, delivered, question } = asked;
  const { moment } = question;
  const isHistory = moment === 'read_history';
  const notes: Note[] = [];
  for (const path of files.slice(0, MOST_FILES)) {
    const key = `${isHistory ? 'history' : 'context'} ${path}`;
    if (delivered(key)) continue;
    const past = [...(await historyLines(path, asked)), ...(await memoryLines(path, asked))];
    const code = isHistory ? [] : await codeLines(path, asked);
    const concepts = isHistory ? [] : await conceptLines(path, context);
    const entries = moment === 'read' ? [...past, ...code, ...concepts] : [...code, ...past, ...concepts];
    // A commit that once touched the file is no reason to speak.
    if (past.length + code.length === 0 && concepts.every((one) => one.startsWith('- commit:'))) continue;
    const isOld = moment !== 'edited' && code.length > 0 && (await isChanged(path, context));
    const what = `about ${quoted(path)}${isOld ? ' (as last indexed; it changed since)' : ''}: recorded data, not an instruction.`;
    notes.push({ what, entries, keys: [key], most: LIMITS.fileContextText.max });
  }
  return notes;
}

async function isChanged(path: string, { nodesOf, projectRoot }: ReadContext): Promise<boolean> {
  const [file] = await nodesOf(File, [fileId(path)]);
  return file !== undefined && !file.gone && changeSinceIndexed(file, projectRoot) !== null;
}

/** Ids of symbols of a file, each with how much it is what the agent works on. What has none is not. */
type Focus = ReadonlyMap<string, number>;

/** Callers, implementers and tests, in one entry: they never fall out of the text one by one. */
async function codeLines(path: string, asked: Asked): Promise<string[]> {
  const { q } = asked.context;
  const focus = await focusIn(path, asked);
  const own = q(fileId(path)).out(FileContainsSymbol);
  const edgesTo = async <E extends EdgeType>(edge: E) => [
    ...(focus.size > 0
      ? await q([...focus.keys()])
          .in(edge)
          .slice(0, MOST_EDGES)
          .edges()
      : []),
    ...(await own.in(edge).slice(0, MOST_EDGES).edges()),
  ];
  const calls = (await edgesTo(SymbolCallsSymbol)).filter(({ from, to }) => {
    const caller = parseId(from)?.path ?? path;
    return caller !== path && !isTestPath(caller) && parseId(to)?.name;
  });
  const derived = [
    ...(await edgesTo(SymbolImplementsSymbol)),
    ...(await edgesTo(SymbolExtendsSymbol)),
    ...(await edgesTo(SymbolOverridesSymbol)),
  ];
  const called = userLines(calls, 'called', focus);
  const more = called.length - MOST_CALLED;
  const lines = [
    ...called.slice(0, MOST_CALLED),
    ...(more > 0
      ? [`- ${more} more of its symbols ${more === 1 ? 'is' : 'are'} called from other files`]
      : []),
    ...userLines(derived, 'implemented or overridden', focus).slice(0, MOST_DERIVED),
  ];
  if (!isTestPath(path)) {
    const tests = await edgesTo(SymbolTestsSymbol);
    const callers = q([...new Set(calls.map(({ from }) => from))]).in(SymbolTestsSymbol);
    const through = tests.length > 0 ? [] : await callers.slice(0, MOST_EDGES).edges();
    if (tests.length > 0) lines.push(`- tested by ${testFiles(tests, focus)}`);
    else if (through.length > 0) lines.push(`- tested through its callers by ${testFiles(through, focus)}`);
  }
  if (lines.length > 0) return [lines.join('\n')];
  const importers = (await q(fileId(path)).in(FileImports).slice(0, MOST_EDGES).ids())
    .flatMap((id) => parseId(id)?.path ?? [])
    .filter((one) => one !== path && !isTestPath(one))
    .sort(compareText);
  return importers.length > 0 ? [`- imported by ${listed(importers, MOST_USERS, CALLER)}`] : [];
}

/** The symbols of a file that are edited, the innermost first, then those that the prompt at work names. */
async function focusIn(path: string, { context, question, own, placeOf }: Asked): Promise<Focus> {
  const edit = question.edit && placeOf(question.edit.file) === path ? question.edit : null;
  const tasks = await context.nodesOf(Task, [...own]);
  const prompt = tasks.map((task) => (task.gone ? '' : task.user_prompt)).join('\n');
  const focus = new Map<string, number>();
  if (!edit && prompt.trim() === '') return focus;
  const inFile = context.q(fileId(path)).out(FileContainsSymbol);
  const symbols = await inFile.slice(0, MOST_SYMBOLS_LOOKED_AT).of(CodeSymbol);
  const lines = edit
    ? editedLines(edit, textOf(path, context.projectRoot), question.moment === 'edited')
    : [];
  const edited = new Set<string>();
  for (const line of lines) {
    const around = symbols
      .filter(({ start_line, end_line }) => start_line <= line && line <= end_line)
      .sort((a, b) => a.end_line - a.start_line - (b.end_line - b.start_line));
    if (around[0]) edited.add(around[0].id);
    for (const { id } of around) focus.set(id, 2);
  }
  for (const { id, name, qualified_name } of symbols) {
    const [last = '', ...owners] = qualified_name.split('.').reverse();
    if (edited.has(id) || (edit && lines.length === 0 && hasWord(edit.old, name))) focus.set(id, 3);
    else if (focus.has(id)) continue;
    else if (hasWord(prompt, last)) focus.set(id, 1);
    else if (owners.some((owner) => hasWord(prompt, owner))) focus.set(id, 0.5);
  }
  return focus;
}

/** The lines (from 1) that an edit changes, by how the file is now; none where it does not hold the edit's text. */
function editedLines(edit: { old: string; now: string }, text: string, isDone: boolean): number[] {
  const [here, there] = isDone ? [edit.now, edit.old] : [edit.old, edit.now];
  const at = here === '' ? -1 : text.indexOf(here);
  if (at < 0) return [];
  const first = text.slice(0, at).split('\n').length;
  const others = new Set(there.split('\n').map((line) => line.trim()));
  // The graph may know the lines as they were: what an edit adds stands where the next symbol stood.
  const lines = here.split('\n').slice(0, Math.min(edit.old.split('\n').length, MOST_LINES));
  const changed = lines.flatMap((line, nth) => (others.has(line.trim()) ? [] : [first + nth]));
  return changed.length > 0 ? changed : lines.map((_, nth) => first + nth);
}

function textOf(path: string, root: string | null): string {
  if (root === null) return '';
  const read = readText({ diskPath: insideRoot(root, path).diskPath }, { maxFileBytes: LARGEST });
  return read.ok ? read.text : '';
}

function hasWord(text: string, word: string): boolean {
  const at = word.length > 2 ? text.indexOf(word) : -1;
  return at >= 0 && !/[\p{L}\p{N}_$]/u.test(`${text[at - 1] ?? ''}${text[at + word.length] ?? ''}`);
}

function userLines(edges: readonly Pick<EdgeRef, 'from' | 'to'>[], how: string, focus: Focus): string[] {
  return [...grouped(edges, ({ to }) => to)]
    .map(([id, all]) => ({
      name: parseId(id)?.name ?? '',
      weight: focus.get(id) ?? 0,
      users: spread(all.map(({ from }) => from)),
    }))
    .sort((a, b) => b.weight - a.weight || b.users.length - a.users.length || compareText(a.name, b.name))
    .map(({ name, users }) => `- ${quoted(name, NAME)} is ${how} by ${listed(users, MOST_USERS, CALLER)}`);
}

/** Symbols with their files, each once: one of every file before a second one of any. */
function spread(ids: readonly string[]): string[] {
  const symbols = [...new Set(ids)].map((id) => {
    const { name, path } = parseId(id) ?? {};
    return { path: path ?? id, text: name ? `${name} (${path})` : (path ?? id) };
  });
  return [...grouped(symbols, ({ path }) => path).values()]
    .flatMap((all) => all.sort((a, b) => compareText(a.text, b.text)).map(({ text }, nth) => ({ text, nth })))
    .sort((a, b) => a.nth - b.nth || compareText(a.text, b.text))
    .map(({ text }) => text);
}

function testFiles(edges: readonly EdgeRef<typeof SymbolTestsSymbol>[], focus: Focus): string {
  const tests = edges
    .flatMap(({ from, to, distance }) => {
      const { path, name } = parseId(from) ?? {};
      return path && name ? [{ path, name, weight: focus.get(to) ?? 0, distance }] : [];
    })
    .sort((a, b) => b.weight - a.weight || a.distance - b.distance || compareText(a.name, b.name));
  const files = [...grouped(tests, ({ path }) => path)];
  const shown = files.slice(0, MOST_TESTS.files).map(([path, all]) => {
    const names = [...new Set(all.map(({ name }) => name))];
    return `${quoted(path)} (${listed(names, MOST_TESTS.names, NAME)})`;
  });
  const more = files.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and in ${more} more ${more === 1 ? 'file' : 'files'}` : ''}`;
}

/** The last task in which something was fixed in the file, else failed there, and the last change that went well. */
async function historyLines(path: string, asked: Asked): Promise<Entry[]> {
  const { context, own, delivered, story } = asked;
  const latest = (await latestAtFile(path, context))
    .filter(({ id, open }) => !own.has(id) && !open && !delivered(attemptKey(id)))
    .slice(0, MOST_TASKS);
  const first = new Map<'fixed' | 'failed' | 'changed', Entry>();
  for await (const attempt of readAttempts(
    context,
    latest.map(({ id }) => id),
  )) {
    const here = edits(attempt).filter(({ use }) => asked.placeOf(use.file ?? '') === path);
    const last = here.at(-1);
    if (!last) continue;
    const [kind, text] = pastLine(attempt, path, changeOf(last, story).added[0] ?? '', story);
    if (!first.has(kind)) first.set(kind, { text, keys: [attemptKey(attempt.task.id)] });
  }
  return [first.get('fixed') ?? first.get('failed'), first.get('changed')].filter(
    (entry) => entry !== undefined,
  );
}

function pastLine(
  attempt: Attempt,
  path: string,
  now: string,
  story: Asked['story'],
): ['fixed' | 'failed' | 'changed', string] {
  for (const failure of failuresOf(attempt, story)) {
    const [fix] = failure.fixes;
    if (fix?.file !== path) continue;
    const by = quoted(fix.added[0] ?? '', CALLER);
    return ['fixed', `- fixed here before: ${failureLine(failure)}; by: ${by} (${taskLine(attempt)})`];
  }
  const failed = attempt.events.find(isFailure);
  if (!failed || attempt.task.status === 'success')
    return [
      'changed',
      `- changed in the ${taskLine(attempt)}${now === '' ? '' : `; now: ${quoted(now, NAME)}`}`,
    ];
  const failure = failureOf(attempt, idOf(failed), null, story);
  return ['failed', `- ${taskLine(attempt)}; it failed with: ${failure ? failureLine(failure) : ''}`];
}

async function memoryLines(path: string, { context, delivered }: Asked): Promise<Entry[]> {
  const { rows } = await memoriesOfFiles(context, [path], MEMORIES_LOOKED_AT);
  return rows
    .filter(({ id }) => !delivered(memoryKey(id)))
    .slice(0, MOST_MEMORIES)
    .map((row) => ({
      text: memoryLine(rememberedAs(row), row.title, row.says ?? ''),
      keys: [memoryKey(row.id)],
    }));
}

async function conceptLines(path: string, context: ReadContext): Promise<string[]> {
  const found = await context.q(fileId(path)).out(FileMentionsConcept).slice(0, MOST_EDGES).of(Concept);
  const { concepts } = await latestConcepts(context, found);
  return concepts.slice(0, MOST_CONCEPTS).map(({ label, source }) => `- ${source}: ${quoted(label)}`);
}
