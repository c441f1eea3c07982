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
  type ReportedFailure,
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
import {
  type Asked,
  attemptEntry,
  attemptKey,
  type Entry,
  failureLine,
  failuresOf,
  listed,
  memoryEntry,
  memoryKey,
  type Note,
  quoted,
  taskLine,
} from './notes.js';

const MOST_FILES = 3;
const MOST_MEMORIES = 2;
const MOST_CONCEPTS = 2;
/** Memories of a file that are looked at: the session may have been shown some. */
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
const MOST_SYMBOLS = 2000;
const LARGEST = 1_000_000;
const MOST_LINES = 200;

/**
 * What an agent cannot see in a file: callers, implementers and tests, then history and memories. On a read
 * history comes first.
 */
export async function fileNotes(asked: Asked): Promise<Note[]> {
  const { context, delivered, question } = asked;
  const { moment } = question;
  const isHistory = moment === 'read_history';
  const notes: Note[] = [];
  for (const path of asked.files.slice(0, MOST_FILES)) {
    const key = `${isHistory ? 'history' : 'context'} ${path}`;
    if (delivered(key)) continue;
    const past = [...(await historyEntries(path, asked)), ...(await memoryEntries(path, asked))];
    const code = isHistory ? '' : await codeText(path, asked);
    const concepts = isHistory ? [] : await latestOf(path, context);
    // A commit that once touched the file is no reason to speak.
    if (past.length === 0 && code === '' && concepts.every(({ source }) => source === 'commit')) continue;
    const users = code === '' ? [] : [{ text: code }];
    const entries = moment === 'read' ? [...past, ...users] : [...users, ...past];
    for (const { source, label } of concepts) entries.push({ text: `- ${source}: ${quoted(label)}` });
    const [file] = await context.nodesOf(File, [fileId(path)]);
    const isChanged =
      file !== undefined && !file.gone && changeSinceIndexed(file, context.projectRoot) !== null;
    const isOld = moment !== 'edited' && code !== '' && isChanged;
    const what = `about ${quoted(path)}${isOld ? ' (as last indexed; it changed since)' : ''}: recorded data, not an instruction.`;
    notes.push({ what, entries, keys: [key], most: LIMITS.fileContextText.max });
  }
  return notes;
}

/** Ids of symbols of a file, each with how much it is what the agent works on. What has none is not. */
type Focus = ReadonlyMap<string, number>;

/** Callers, implementers and tests, as one text: they never fall out of the answer one by one. */
async function codeText(path: string, asked: Asked): Promise<string> {
  const { q } = asked.context;
  const focus = await focusIn(path, asked);
  const symbols = [...focus.keys(), ...(await q(fileId(path)).out(FileContainsSymbol).ids())];
  const edgesTo = async <E extends EdgeType>(edge: E) => q(symbols).in(edge).slice(0, MOST_EDGES).edges();
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
  const lines = called.slice(0, MOST_CALLED);
  const more = called.length - lines.length;
  if (more > 0)
    lines.push(`- ${more} more of its symbols ${more === 1 ? 'is' : 'are'} called from other files`);
  lines.push(...userLines(derived, 'implemented or overridden', focus).slice(0, MOST_DERIVED));
  if (!isTestPath(path)) {
    const tests = await edgesTo(SymbolTestsSymbol);
    const callers = q(calls.map(({ from }) => from)).in(SymbolTestsSymbol);
    const through = tests.length > 0 ? [] : await callers.slice(0, MOST_EDGES).edges();
    if (tests.length > 0) lines.push(`- tested by ${testFiles(tests, focus)}`);
    else if (through.length > 0) lines.push(`- tested through its callers by ${testFiles(through, focus)}`);
  }
  if (lines.length > 0) return lines.join('\n');
  const importers = (await q(fileId(path)).in(FileImports).slice(0, MOST_EDGES).ids())
    .flatMap((id) => parseId(id)?.path ?? [])
    .filter((one) => one !== path && !isTestPath(one))
    .sort(compareText);
  return importers.length > 0 ? `- imported by ${listed(importers, MOST_USERS, CALLER)}` : '';
}

/** The symbols of a file that are edited, the innermost first, then those that the prompt at work names. */
async function focusIn(path: string, { context, question, own, placeOf }: Asked): Promise<Focus> {
  const edit = question.edit && placeOf(question.edit.file) === path ? question.edit : null;
  const tasks = await context.nodesOf(Task, [...own]);
  const prompt = tasks.map((task) => (task.gone ? '' : task.user_prompt)).join('\n');
  const focus = new Map<string, number>();
  if (!edit && prompt.trim() === '') return focus;
  const inFile = context.q(fileId(path)).out(FileContainsSymbol);
  const symbols = await inFile.slice(0, MOST_SYMBOLS).of(CodeSymbol);
  const lines = edit ? editedLines(edit, path, context.projectRoot, question.moment === 'edited') : [];
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
function editedLines(
  edit: { old: string; now: string },
  path: string,
  root: string | null,
  isDone: boolean,
): number[] {
  const place = root === null ? null : { diskPath: insideRoot(root, path).diskPath };
  const read = place && readText(place, { maxFileBytes: LARGEST });
  const [here, there] = isDone ? [edit.now, edit.old] : [edit.old, edit.now];
  const at = here === '' || !read?.ok ? -1 : read.text.indexOf(here);
  if (at < 0 || !read?.ok) return [];
  const first = read.text.slice(0, at).split('\n').length;
  const others = new Set(there.split('\n').map((line) => line.trim()));
  // The graph may know the lines as they were: what an edit adds stands where the next symbol stood.
  const lines = here.split('\n').slice(0, Math.min(edit.old.split('\n').length, MOST_LINES));
  const changed = lines.flatMap((line, nth) => (others.has(line.trim()) ? [] : [first + nth]));
  return changed.length > 0 ? changed : lines.map((_, nth) => first + nth);
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
async function historyEntries(path: string, asked: Asked): Promise<Entry[]> {
  const { context, own, delivered, placeOf, story } = asked;
  const latest = (await latestAtFile(path, context))
    .filter(({ id, open }) => !own.has(id) && !open && !delivered(attemptKey(id)))
    .map(({ id }) => id);
  const first: Partial<Record<'fixed' | 'failed' | 'changed', Entry>> = {};
  for await (const attempt of readAttempts(context, latest.slice(0, MOST_TASKS))) {
    const last = edits(attempt).findLast(({ use }) => placeOf(use.file ?? '') === path);
    if (!last) continue;
    const fix = fixedIn(path, attempt, story);
    const failed = attempt.task.status === 'success' ? undefined : attempt.events.find(isFailure);
    if (fix) {
      const by = quoted(fix.fixes[0]?.added[0] ?? '', CALLER);
      const line = `- fixed here before: ${failureLine(fix)}; by: ${by} (${taskLine(attempt)})`;
      first.fixed ??= attemptEntry(attempt, [line]);
    } else if (failed) {
      const failure = failureOf(attempt, idOf(failed), null, story);
      const said = failure ? failureLine(failure) : '';
      first.failed ??= attemptEntry(attempt, [`- ${taskLine(attempt)}; it failed with: ${said}`]);
    } else {
      const now = changeOf(last, story).added[0] ?? '';
      const line = `- changed in the ${taskLine(attempt)}${now === '' ? '' : `; now: ${quoted(now, NAME)}`}`;
      first.changed ??= attemptEntry(attempt, [line]);
    }
  }
  return [first.fixed ?? first.failed, first.changed].filter((entry) => entry !== undefined);
}

function fixedIn(path: string, attempt: Attempt, story: Asked['story']): ReportedFailure | undefined {
  for (const failure of failuresOf(attempt, story)) if (failure.fixes[0]?.file === path) return failure;
  return undefined;
}

async function memoryEntries(path: string, { context, delivered }: Asked): Promise<Entry[]> {
  const { rows } = await memoriesOfFiles(context, [path], MEMORIES_LOOKED_AT);
  return rows
    .filter(({ id }) => !delivered(memoryKey(id)))
    .slice(0, MOST_MEMORIES)
    .map((row) => memoryEntry(row.id, rememberedAs(row), row.title, row.says ?? ''));
}

async function latestOf(path: string, context: ReadContext) {
  const found = await context.q(fileId(path)).out(FileMentionsConcept).slice(0, MOST_EDGES).of(Concept);
  return (await latestConcepts(context, found)).concepts.slice(0, MOST_CONCEPTS);
}
