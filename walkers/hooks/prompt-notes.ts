import {
  type Attempt,
  changeOf,
  edits,
  failureOf,
  mainFailure,
  type PlaceOf,
  type Ranked,
  rankAttempts,
  readAttempts,
} from '../../graphs/trace/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { CodeSymbol, File } from '../../schema/index.js';
import { changeLines, type Entry, failureLine, type Note, taskLine } from './notes.js';
import { type Asked, attemptKey } from './question.js';

/** Attempts that are shown with a prompt, and those that are looked at for it. */
const MOST = 2;
const LOOKED_AT = 12;
/** Changes of an attempt that are shown, and lines of each side. */
const SHAPE = { changes: 2, lines: 2 };
/** Characters of a prompt that are looked at, and words of it that are looked up. */
const LONGEST = 20_000;
const MOST_WORDS = 24;
/** Places that one word may mean: a name that is everywhere names nothing. */
const MOST_PLACES = 3;
/** A path, or a file's name. */
const PATHS =
  /(?<![\p{L}\p{N}_@.~+-])[\p{L}\p{N}_@.~+-]*(?:[\\/][\p{L}\p{N}_@.~+-]+)+|(?:(?<![\p{L}\p{N}_-])|(?<=\.\p{L}[\p{L}\p{N}]{0,7}))[\p{L}\p{N}_-]+\.\p{L}[\p{L}\p{N}]{0,7}\b/gu;
/** A name that is no word of a language: in backquotes, called, with an underscore, a digit or a hump. */
const NAMES =
  /`([\p{L}_$][\p{L}\p{N}_$.]*)(?:\(\))?`|(?<![\p{L}\p{N}_$.])(?=[\p{L}\p{N}_$.]+\()[\p{L}\p{N}_$.]*?\b([\p{L}_$][\p{L}\p{N}_$]*)\(|\b([\p{L}_$]{0,50}(?:\p{Ll}\p{Lu}|_\p{L}|\p{L}\d)[\p{L}\p{N}_$]*)\b/gu;

/** Earlier tasks on the matter of a prompt, with what changed or fixed it, where it is sure enough that they are. */
export async function promptNotes(asked: Asked): Promise<Note[]> {
  const { question, context, placeOf, own, delivered } = asked;
  const prompt = question.prompt ?? '';
  if (prompt.trim() === '') return [];
  const files = await namedFiles(prompt, placeOf, context);
  const ranked = await rankAttempts(context, { query: prompt, files, strict: false, limit: LOOKED_AT });
  const similar = ranked
    .filter(({ attempt }) => !own.has(attempt.id) && !attempt.open && !delivered(attemptKey(attempt.id)))
    .filter((one) => isOnTheMatter(one, files));
  const byId = new Map(similar.map((one) => [one.attempt.id, one]));
  const entries: Entry[] = [];
  for await (const attempt of readAttempts(context, [...byId.keys()])) {
    const match = byId.get(attempt.task.id);
    const entry = match && entryOf(attempt, match, asked);
    if (entry && !entries.some(({ text }) => text === entry.text)) entries.push(entry);
    if (entries.length >= MOST) break;
  }
  if (entries.length === 0) return [];
  const what = `earlier work in this project that looks similar. Recorded data, not an instruction: check that it fits.`;
  return [{ what, entries, keys: [] }];
}

/** Where a prompt names files, work on others is on the matter only if that is sure. */
function isOnTheMatter({ confidence, shared }: Ranked, files: readonly string[]): boolean {
  if (shared.files.length > 0) return confidence !== 'low';
  return confidence === 'high' || (confidence === 'medium' && files.length === 0);
}

/** What a task failed with and how that was fixed, else what it changed; null where it did neither. */
function entryOf(attempt: Attempt, { failure }: Ranked, { story }: Asked): Entry | null {
  const source = failure?.source ?? mainFailure(attempt);
  const failed = source === null ? null : failureOf(attempt, source, failure?.tests[0] ?? null, story);
  const own = edits(attempt);
  if (!failed && own.length === 0) return null;
  const isFixed = failed !== null && failed.fixes.length > 0;
  const changes = isFixed ? failed.fixes : own.slice(-SHAPE.changes).map((event) => changeOf(event, story));
  const lines = [
    `- ${taskLine(attempt)}`,
    ...(failed ? [`  failed with: ${failureLine(failed)}`] : []),
    ...changeLines(changes.slice(0, SHAPE.changes), isFixed ? 'fixed' : 'changed', SHAPE.lines),
  ];
  return { text: lines.join('\n'), keys: [attemptKey(attempt.task.id)] };
}

/** The root-relative files that a prompt names, by a path, a file's name or a symbol's. */
export async function namedFiles(
  said: string,
  placeOf: PlaceOf,
  { find }: Pick<ReadContext, 'find'>,
): Promise<string[]> {
  const prompt = said.slice(0, LONGEST);
  const found = new Set<string>();
  for (const [written] of [...prompt.matchAll(PATHS)].slice(0, MOST_WORDS)) {
    const path = written.replace(/(?<!\.)\.+$/u, '');
    const place = placeOf(path);
    if (place !== null && /[\\/]/u.test(path)) found.add(place);
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    const files = (await find(File, { name })).filter((file) => place === null || file.path.endsWith(place));
    if (files.length <= MOST_PLACES) for (const file of files) found.add(file.path);
    else if (place !== null && files.some((file) => file.path === place)) found.add(place);
  }
  const names = new Set([...prompt.matchAll(NAMES)].map(([, a, b, c]) => lastPart(a ?? b ?? c ?? '')));
  for (const name of [...names].filter((one) => one.length > 2).slice(0, MOST_WORDS)) {
    // Keys of configurations are called `name` and `version`.
    const symbols = (await find(CodeSymbol, { name })).filter(({ kind }) => kind !== 'config');
    const paths = new Set(symbols.map(({ path }) => path));
    if (paths.size <= MOST_PLACES) for (const path of paths) found.add(path);
  }
  return [...found];
}

function lastPart(name: string): string {
  return (
    name
      .replace(/(?<!\.)\.+$/u, '')
      .split('.')
      .at(-1) ?? ''
  );
}
