import { z } from 'zod';
import { type Focus, type MissingState, type Related, RelatedRow, TestRow } from '../../graphs/code/index.js';
import { type Remembered, RememberedRow, rememberedAs } from '../../graphs/memory/index.js';
import {
  type DetailAt,
  draftBy,
  plural,
  presented,
  quotedLine,
  quotedName,
  shownLine,
} from '../../present/index.js';
import { compareText } from '../../runtime/index.js';
import { ERROR_TYPES, grouped, LIMITS, parseId, STEP_ROLES, TASK_STATUSES } from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import type { MissingFile } from '../asked-files.js';

const { contextRelated, contextTests, contextMemories, contextCommits, contextSteps, packTokens } = LIMITS;

/** Symbols that are looked at for one page: more than the largest budget has room for. */
const MOST_SYMBOLS = 1000;
/** Characters of the digest that stands in a JSON body (X-29). */
const DIGEST = 600;
/** Characters of a signature: those of types go on and on. */
const SIGNATURE_TEXT = 160;
/** Cases that a test file's line names, and their characters: titles of tests are sentences. */
const MOST_CASES = 3;
const CASE_TEXT = 70;
/** Characters of one text that somebody wrote. */
const QUOTED = 200;

const count = z.number().int();

/** How each relation of a symbol to a nearer one reads from the symbol's side, and its weight: the largest is the row's own. */
export const RELATIONS = {
  own: ['', 0],
  caller: ['calls', 1],
  callee: ['called by', 1],
  base: ['base of', 0.9],
  derived: ['extends', 0.9],
  interface: ['implemented by', 0.9],
  implementation: ['implements', 0.9],
  referrer: ['uses', 0.4],
  referenced: ['used by', 0.4],
} as const;
/** How a symbol came into the context: the file's own, or by which edge of a nearer one. */
export type Relation = keyof typeof RELATIONS;

/**
 * Whether a file's symbols are in the graph, and if not, why: there is no extractor for its language; an index run that
 * did not finish has still to write them; extraction failed, or the file is minified; the file is in no graph any more,
 * but traces end on it (X-34).
 */
const STANDINGS = ['extracted', 'other-language', 'waiting', 'not-extracted', 'gone'] as const;

/** One symbol of a context. */
const SymbolRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  qualified_name: z.string(),
  path: z.string(),
  start_line: count,
  end_line: count,
  signature: z.string().optional(),
  docstring: z.string().nullable().optional(),
  /** Hops from the files asked for; 0 is their own. */
  distance: count,
  /** The closest of its relations. */
  relation: z.enum(Object.keys(RELATIONS) as [Relation, ...Relation[]]),
  /** How it is joined to nearer symbols, `calls Auth.login at 12`; the files' own have none. */
  links: z.array(z.string()).optional(),
});
export type SymbolRow = z.infer<typeof SymbolRow>;

/** One concept that the files mention. */
const ConceptRow = z.object({ id: z.string(), label: z.string(), source: z.string(), path: z.string() });
export type ConceptRow = z.infer<typeof ConceptRow>;

/** One step of an earlier task that touched the files. */
const StepRow = z.object({
  id: z.string(),
  /** Within its task. */
  order: count,
  role: z.enum(STEP_ROLES).nullable(),
  summary: z.string(),
  /** The file that it touched. */
  path: z.string(),
  /** ISO 8601. */
  started_at: z.string().nullable(),
  task: z.object({ id: z.string(), prompt: z.string(), status: z.enum(TASK_STATUSES) }).nullable(),
  /** What failed there. */
  errors: z.array(z.object({ type: z.enum(ERROR_TYPES), message: z.string() })),
  /** The step that resolved what failed; null where nothing did, or nothing is known to have. */
  resolved_by: z.object({ id: z.string(), summary: z.string() }).nullable(),
});
export type StepRow = z.infer<typeof StepRow>;

/** One name that a file asked for passes on from another; `*`: all that the other file offers. */
const ReExportRow = z.object({ name: z.string(), id: z.string(), path: z.string() });
export type ReExportRow = z.infer<typeof ReExportRow>;

/** One file that was asked for. */
const FileRow = z.object({
  path: z.string(),
  /** Whether its symbols are in the graph, and if not, why. */
  standing: z.enum(STANDINGS),
  /** What happened to it on disk since it was indexed; null for nothing. */
  change: z.enum(['changed', 'deleted']).nullable(),
  /** It is in no graph any more, but traces end on it (X-34). */
  gone: z.literal(true).optional(),
  /** What it passes on from other files; absent where it passes on nothing. */
  re_exports: z.array(ReExportRow).optional(),
});

/** The answer of `graph_context_for_files` (S3-14). */
export const ContextOutput = z.object({
  context_pack: z.object({
    related: z.array(RelatedRow).optional(),
    tests: z.array(TestRow).optional(),
    /** What is remembered of the files and what is in them; absent where there is nothing. */
    memories: z.array(RememberedRow).optional(),
    etg_steps: z.array(StepRow),
    symbols: z.array(SymbolRow),
    concepts: z.array(ConceptRow),
    summary: z.string(),
    files: z.array(FileRow),
  }),
  /** The first lines of the answer as Markdown: at most 600 characters (X-29). */
  returnDisplay: z.string(),
});
/** Also says what the host has to add: notes, pending files, and those that changed on disk since they were indexed. */
export type ContextOutput = z.infer<typeof ContextOutput> & {
  state?: { cut: string[]; unresolved: number | null; pending: number; changed: string[] };
};
type Pack = ContextOutput['context_pack'];

/** A file that was asked for, as the graph has it. */
export interface AskedFile extends Pick<z.infer<typeof FileRow>, 'path' | 'standing' | 'change'> {
  readonly language: string;
}

/** What the walk collected. */
export interface Collected {
  readonly radius: number;
  readonly files: readonly AskedFile[];
  readonly missing: readonly MissingFile[];
  /** What an index run that did not finish has still to write. */
  readonly unwritten: MissingState;
  readonly symbols: readonly SymbolRow[];
  /** What the files pass on, by their paths. */
  readonly reExports: ReadonlyMap<string, readonly ReExportRow[]>;
  readonly focus: Focus | null;
  /** What was asked for that there is not, in sentences. */
  readonly notes: readonly string[];
  /** Null at radius 0: what is near was not asked for. */
  readonly related: Related | null;
  readonly remembered: Remembered;
  readonly concepts: readonly ConceptRow[];
  /** How many commits name concepts of them, listed or not. */
  readonly commitCount: number;
  /** The latest. */
  readonly steps: readonly StepRow[];
  readonly stepCount: number;
  /** Calls from the files' own symbols that lead to nothing in the project. */
  readonly unresolved: number;
}

/** Details that are left out before rows are (P-02). */
const LESS: readonly DetailAt[] = [
  { field: 'returnDisplay', what: '`returnDisplay`' },
  { of: 'context_pack.symbols', field: 'docstring', what: 'Docstrings' },
  { of: 'context_pack.symbols', field: 'signature', what: 'Signatures' },
  { of: 'context_pack.symbols', field: 'links', what: 'Links' },
  { of: 'context_pack.memories', field: 'says', what: 'Texts of memories' },
  { of: 'context_pack.files', field: 're_exports', what: 'Re-exports' },
];
/** The lists next to the symbols, and how many rows of each stay however many symbols there are: the last one's fall first. */
const OTHER_LISTS = [
  ['related', 'related', 10],
  ['tests', 'tests', 6],
  ['memories', 'memories', 5],
  ['concepts', 'concepts', 3],
  ['etg_steps', 'earlier steps', 3],
] as const;

/**
 * Makes the answer: rows in their order; the host cuts it for JSON and for Markdown, each by its own size.
 *
 * @param from Symbols that earlier pages have shown.
 * @param revision Of the code graph.
 */
export function contextAnswer(collected: Collected, from: number, revision: number | null): ContextOutput {
  const { related, remembered, files, unwritten, unresolved } = collected;
  const symbols = inOrder(collected.symbols, related?.related ?? [], collected.focus);
  const limits: readonly (readonly [name: string, count: number, most: number])[] = [
    ['files that are joined to them', related?.linked.files ?? 0, contextRelated.max],
    ['test files that reach them', related?.linked.tests ?? 0, contextTests.max],
    ['memories', remembered.count, contextMemories.max],
    ['commits', collected.commitCount, contextCommits.max],
    ['earlier steps', collected.stepCount, contextSteps.max],
  ];
  const capped = limits
    .filter(([, count, most]) => count > most)
    .map(([name, count, most]) => `The first ${most} of ${count} ${name} are listed.`);
  const whole: ContextOutput = {
    context_pack: {
      ...(related ? { related: [...related.related], tests: [...related.tests] } : {}),
      etg_steps: [...collected.steps],
      ...(remembered.rows.length > 0 ? { memories: [...remembered.rows] } : {}),
      symbols: symbols.slice(from, from + MOST_SYMBOLS),
      concepts: [...collected.concepts],
      summary: contextSummary(collected),
      files: files.map(({ path, standing, change }) => ({
        path,
        standing,
        change,
        ...(standing === 'gone' ? { gone: true as const } : {}),
        ...(collected.reExports.has(path) ? { re_exports: [...(collected.reExports.get(path) ?? [])] } : {}),
      })),
    },
    returnDisplay: '',
    state: {
      cut: [...unwritten.cut, ...capped],
      unresolved,
      pending: unwritten.pending,
      // Files that are still to be written are counted as such.
      changed: files.flatMap(({ path, change, standing }) =>
        change !== null && standing !== 'waiting' ? [path] : [],
      ),
    },
  };
  const list = { at: 'context_pack.symbols', what: 'symbols', least: 8, from, total: symbols.length };
  return presented(
    draftBy(whole, {
      limit: packTokens,
      revision,
      lists: [
        { ...list, narrower: narrower(collected) },
        ...OTHER_LISTS.map(([key, what, least]) => ({ at: `context_pack.${key}`, what, least })),
      ],
      less: LESS,
      settle: (output) => {
        const text = contextMarkdown(output.context_pack, DIGEST);
        const end = text.lastIndexOf('\n', DIGEST);
        const digest = `${text.slice(0, end > 0 ? end : DIGEST)}\n`;
        return { ...output, returnDisplay: text.length <= DIGEST ? text : digest };
      },
    }),
  );
}

/** How to ask for less: a sentence's end. */
function narrower({ radius, files }: Collected): string {
  if (radius === 0) return files.length > 1 ? 'fewer files narrow them' : 'the rest is in the file itself';
  return files.length > 1
    ? 'a smaller `radius` or fewer files narrow them'
    : 'a smaller `radius` narrows them';
}

/** What was collected, in a few sentences: the files asked for, what is near them, and what is not known. */
function contextSummary(collected: Collected): string {
  const { symbols, concepts, stepCount, unresolved } = collected;
  const near = symbols.filter(({ distance }) => distance > 0);
  const places = new Set(near.map(({ path }) => path)).size;
  return [
    ...collected.files.map((file) =>
      fileSentence(file, symbols.filter(({ distance, path }) => distance === 0 && path === file.path).length),
    ),
    ...collected.missing.map(missingSentence),
    ...collected.notes,
    collected.unwritten.cut.length > 0 && 'An index run did not finish: this is not all.',
    near.length > 0 && `${plural(near.length, 'symbol')} in ${plural(places, 'file')} within reach.`,
    unresolved > 0 && `Out of the project or not resolved: ${plural(unresolved, 'call')}.`,
    concepts.length > 0 && `Mentioned: ${plural(concepts.length, 'concept')}.`,
    stepCount > 0 && `Touched before in ${plural(stepCount, 'step')}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

function fileSentence({ path, language, standing, change }: AskedFile, symbols: number): string {
  const some = `${path} (${language}) has ${plural(symbols, 'symbol')}`;
  const known = {
    extracted: `${some}.`,
    'other-language': `${path} is ${language}, whose symbols Codewalk does not extract.`,
    waiting:
      symbols === 0 ? `${path} (${language}) is not indexed yet.` : `${some}, as far as it is indexed.`,
    'not-extracted': `The symbols of ${path} (${language}) were not extracted: 'codewalk index --list' says why.`,
    gone: `${path} is no longer in the project.`,
  }[standing];
  if (change === null) return known;
  return `${known} ${path} ${change === 'deleted' ? 'was deleted' : 'changed'} on disk since it was indexed.`;
}

function missingSentence({ path, onDisk, isFolder }: MissingFile): string {
  if (isFolder) return `${path || '.'} is a folder: name files in it.`;
  if (onDisk) return `${path} is not in the graph, but on disk: newer than the graph, or left out.`;
  return `${path} is not in the graph.`;
}

/**
 * Symbols in the order of the answer: what is about to change, the files' own as they stand there, then what is near by
 * hops. Of as many hops, what `related` names comes first, as it ranks it, then the rest of its files, then others;
 * tests last, which have a list of their own.
 */
function inOrder(
  symbols: readonly SymbolRow[],
  related: readonly RelatedRow[],
  focus: Focus | null,
): SymbolRow[] {
  const [ranks, fileRanks] = [new Map<string, number>(), new Map<string, number>()];
  for (const { id, path } of related) {
    if (!ranks.has(id)) ranks.set(id, ranks.size);
    if (!fileRanks.has(path)) fileRanks.set(path, fileRanks.size);
  }
  const keysOf = ({ id, distance, path }: SymbolRow) => [
    focus?.ids.has(id) ? 0 : 1,
    distance,
    ...(distance > 0
      ? [isTestPath(path) ? 1 : 0, ranks.get(id) ?? ranks.size, fileRanks.get(path) ?? fileRanks.size]
      : []),
  ];
  const places = symbols.map((row) => ({ row, keys: keysOf(row) }));
  return places
    .sort((a, b) => {
      const at = a.keys.findIndex((key, i) => key !== b.keys[i]);
      if (at >= 0) return (a.keys[at] ?? 0) - (b.keys[at] ?? 0);
      return (
        compareText(a.row.path, b.row.path) ||
        a.row.start_line - b.row.start_line ||
        compareText(a.row.id, b.row.id)
      );
    })
    .map(({ row }) => row);
}

/**
 * A context pack as Markdown, in the order of the JSON. What was said of a symbol once is not repeated, and what is in
 * test files stands with the tests.
 *
 * @param most Characters after which no further section begins. Default: all begin.
 */
export function contextMarkdown(pack: Pack, most = Number.POSITIVE_INFINITY): string {
  const { related = [], tests = [], memories = [], etg_steps, symbols, concepts, files } = pack;
  const near = symbols.filter(({ distance }) => distance > 0);
  const symbolPlace = ({ id, path, start_line, name }: SymbolRow) =>
    `${path}:${start_line} ${parseId(id)?.name ?? name}`;
  const relatedPlace = ({ path, line, symbol, name }: RelatedRow) => `${path}:${line} ${symbol ?? name}`;
  const links = new Map(near.map((row) => [symbolPlace(row), row.links ?? []]));
  const line = (row: RelatedRow) => relatedLine(row, links.get(relatedPlace(row)) ?? []);
  const nearFiles = related.filter(({ symbol }) => symbol !== undefined);
  const named = new Set(nearFiles.map(relatedPlace));
  const nearSymbols = related.filter((row) => row.symbol === undefined && !named.has(relatedPlace(row)));
  const onlyFile = files.length === 1 ? files[0]?.path : undefined;
  const others = () => {
    const all = new Set(related.map(relatedPlace));
    const tested = new Set(tests.map(({ path }) => path));
    return near.filter((row) => !all.has(symbolPlace(row)) && !tested.has(row.path));
  };
  const sections: readonly (readonly [title: string, lines: () => readonly string[]])[] = [
    ['Files', () => nearFiles.map(line)],
    ['Symbols', () => nearSymbols.map(line)],
    ['Tests', () => tests.map(testLine)],
    ['Earlier steps', () => etg_steps.map(stepLine)],
    ['Remembered', () => memories.map(memoryLine)],
    ...files.map(
      ({ path, re_exports = [] }) => [`Re-exports of ${path}`, () => reExportLines(re_exports)] as const,
    ),
    ...files.map(
      ({ path }) =>
        [path, () => ownLines(symbols.filter((row) => row.distance === 0 && row.path === path))] as const,
    ),
    ['Within reach', () => others().map(nearLine)],
    ['Notes and commits', () => concepts.map((row) => conceptLine(row, onlyFile))],
  ];
  // A row is one line, whatever the names of files hold.
  const oneLine = (row: string) => (/[\n\r]/u.test(row) ? row.replace(/[\n\r]+/gu, ' ') : row);
  let text = oneLine(pack.summary);
  for (const [title, linesOf] of sections) {
    if (text.length > most) break;
    const lines = linesOf();
    if (lines.length > 0) text += `\n\n${[`### ${title}`, ...lines].map(oneLine).join('\n')}`;
  }
  return `${text}\n`;
}

/** Of a symbol, where it is joined to the files says more than that it is. */
function relatedLine(row: RelatedRow, links: readonly string[]): string {
  const name = row.symbol ?? (row.path.endsWith(row.name) ? null : row.name);
  const reasons = links.length > 0 ? links.join('; ') : (row.symbol_why ?? '');
  const isFile = row.symbol !== undefined;
  const why = isFile || reasons === '' ? ` (${row.symbol ? 'file: ' : ''}${row.why})` : '';
  return `- ${place(row)}${name === null ? '' : ` ${name}`}${reasons === '' ? '' : `: ${reasons}`}${why}`;
}

/** A line per file: `- src/money.ts: format, parse`. */
function reExportLines(rows: readonly ReExportRow[]): string[] {
  return [...grouped(rows, ({ path }) => path)].map(
    ([path, all]) => `- ${path}: ${all.map(({ name }) => shownLine(name, 80)).join(', ')}`,
  );
}

function testLine(row: TestRow): string {
  const cases = row.cases.slice(0, MOST_CASES).map((title) => shownLine(title, CASE_TEXT));
  return `- ${place(row)} (${row.why})${cases.length === 0 ? '' : `: ${cases.join('; ')}`}`;
}

/** Somebody's words: data, whatever they say (X-39). */
function memoryLine({ id, title, says, about, ...row }: RememberedRow): string {
  const more = says === undefined || says === title ? '' : `: ${quotedLine(says, QUOTED)}`;
  const of = about.map((one) => quotedLine(one, QUOTED)).join(', ');
  return `- ${quotedLine(title, QUOTED)}${more} (${rememberedAs(row)}; about ${of}; ${quotedName(id)})`;
}

/** Labels come from comments and commits: data, whatever they say (X-39). @param only The file that needs no name. */
function conceptLine({ label, path, source }: ConceptRow, only: string | undefined): string {
  const of = source === 'todo' ? '' : `${source}: `;
  return `- ${of}${quotedLine(label, QUOTED)}${path === only ? '' : ` (${path})`}`;
}

function stepLine({ id, role, summary, path, task, errors, resolved_by }: StepRow): string {
  const parts = [
    path,
    task && `${task.status} task "${quotedLine(task.prompt, QUOTED)}"`,
    ...errors.map(({ type, message }) => `${type}: ${quotedLine(message, QUOTED)}`),
    resolved_by && `fixed by ${quotedLine(resolved_by.summary, QUOTED) || resolved_by.id}`,
  ].filter((part) => part !== null);
  return `- ${role ?? 'step'}: ${summary === '' ? id : quotedLine(summary, QUOTED)} (${parts.join('; ')})`;
}

function place({ path, line }: Pick<RelatedRow, 'path' | 'line'>): string {
  return line === null ? path : `${path}:${line}`;
}

/** A file's own symbols: those with a signature or a docstring have a line each, names between them share one. */
function ownLines(rows: readonly SymbolRow[]): string[] {
  const lines: string[] = [];
  let names: string[] = [];
  for (const row of [...rows, null]) {
    if (row && !row.signature && !row.docstring) {
      names.push(`${spanOf(row)} ${nameOf(row)}`);
      continue;
    }
    if (names.length > 0) lines.push(`- ${names.join(', ')}`);
    names = [];
    if (row) lines.push(`- ${spanOf(row)} ${headOf(row)}${row.docstring ? `: ${row.docstring}` : ''}`);
  }
  return lines;
}

/** A symbol of another file: where it is, and whom it calls or is called by, and where. */
function nearLine(row: SymbolRow): string {
  const { path, start_line, docstring, distance, relation } = row;
  const links = row.links ?? [`${RELATIONS[relation][0]} it`];
  const how = `${links.join('; ')}${distance > 1 ? `; ${distance} hops` : ''}`;
  return `- ${path}:${start_line} ${headOf(row)} (${how})${docstring ? `: ${docstring}` : ''}`;
}

function spanOf({ start_line, end_line }: SymbolRow): string {
  return start_line === end_line ? `${start_line}` : `${start_line}-${end_line}`;
}

function headOf(row: SymbolRow): string {
  return row.signature ? quotedName(row.signature, SIGNATURE_TEXT) : nameOf(row);
}

/** Kinds of which the name alone says enough. */
const UNSAID = ['function', 'method', 'variable', 'constant', 'property', 'attribute'];

function nameOf({ kind, name }: SymbolRow): string {
  const shown = shownLine(name, QUOTED);
  return UNSAID.includes(kind) ? shown : `${kind.replaceAll('_', ' ')} ${shown}`;
}
