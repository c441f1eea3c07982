import type { MissingState } from '../../../graphs/code/index.js';
import type { Remembered } from '../../../graphs/memory/index.js';
import { type DetailAt, draftBy, plural, presented } from '../../../present/index.js';
import { compareText } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { isTestPath } from '../../../source/index.js';
import { type AskedFile, sentenceOn } from './asked-file.js';
import type { MissingFile } from './asked-files.js';
import { contextMarkdown } from './context-markdown.js';
import type {
  ConceptRow,
  ContextOutput,
  ReExportRow,
  RelatedRow,
  StepRow,
  SymbolRow,
} from './context-rows.js';
import type { Focus } from './focus.js';
import type { Related } from './nearness/related.js';

const { contextRelated, contextTests, contextMemories, contextCommits, contextSteps, packTokens } = LIMITS;

/** What the walk collected. */
export interface Collected {
  readonly files: readonly AskedFile[];
  readonly missing: readonly MissingFile[];
  /** What an index run that did not finish has still to write. */
  readonly unwritten: MissingState;
  readonly symbols: readonly SymbolRow[];
  /** What the files pass on, by their paths. */
  readonly reExports: ReadonlyMap<string, readonly ReExportRow[]>;
  /** What of the files is about to change; null where the files are meant as wholes. */
  readonly focus: Focus | null;
  /** What was asked for that there is not, in sentences. */
  readonly notes: readonly string[];
  /** Null at radius 0: what is near was not asked for. */
  readonly related: Related | null;
  /** What is remembered of the files. */
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

/** What is said shorter before rows fall (P-02). */
const LESS: readonly DetailAt[] = [
  { field: 'returnDisplay', what: '`returnDisplay`' },
  { of: 'context_pack.symbols', field: 'docstring', what: 'Docstrings' },
  { of: 'context_pack.symbols', field: 'signature', what: 'Signatures' },
  { of: 'context_pack.symbols', field: 'links', what: 'Links' },
  { of: 'context_pack.memories', field: 'says', what: 'Texts of memories' },
  { of: 'context_pack.files', field: 're_exports', what: 'Re-exports' },
];
/** The lists beside the symbols, and how many rows of each stay however many symbols there are: the last one's fall first. */
const OTHER_LISTS = [
  ['related', 'related', 10],
  ['tests', 'tests', 6],
  ['memories', 'memories', 5],
  ['concepts', 'concepts', 3],
  ['etg_steps', 'earlier steps', 3],
] as const;
/** Symbols that are looked at for one page: more than the largest budget has room for. */
const MOST_SYMBOLS = 1000;
/** Characters of the digest that stands in a JSON body. */
const DIGEST = 600;

/**
 * Makes the answer: rows in their order; the host cuts it for JSON and for Markdown, each by its own size.
 *
 * @param from Symbols that earlier pages have shown.
 * @param revision Of the code graph.
 */
export function contextPack(
  collected: Collected,
  radius: number,
  { from, revision }: { readonly from: number; readonly revision: number | null },
): ContextOutput {
  const { pack, total, capped } = wholePack(collected, from);
  const whole: ContextOutput = {
    context_pack: pack,
    returnDisplay: '',
    state: {
      cut: [...collected.unwritten.cut, ...capped],
      unresolved: collected.unresolved,
      pending: collected.unwritten.pending,
      changed: changedSince(collected.files),
    },
  };
  return presented(
    draftBy(whole, {
      limit: packTokens,
      revision,
      lists: [
        {
          at: 'context_pack.symbols',
          what: 'symbols',
          least: 8,
          from,
          total,
          narrower: narrower(radius, collected.files.length),
        },
        ...OTHER_LISTS.map(([key, what, least]) => ({ at: `context_pack.${key}`, what, least })),
      ],
      less: LESS,
      settle: (output) => ({
        ...output,
        returnDisplay: digestOf(contextMarkdown(output.context_pack, DIGEST)),
      }),
    }),
  );
}

/** The first lines of an answer, as many as a digest has room for. */
function digestOf(markdown: string): string {
  if (markdown.length <= DIGEST) return markdown;
  const end = markdown.lastIndexOf('\n', DIGEST);
  return `${markdown.slice(0, end > 0 ? end : DIGEST)}\n`;
}

/** Files that changed on disk since; those that are still to be written are counted as such. */
function changedSince(files: readonly AskedFile[]): string[] {
  return files.flatMap(({ path, change, standing }) =>
    change !== null && standing !== 'waiting' ? [path] : [],
  );
}

/** How to ask for less: a sentence's end. */
function narrower(radius: number, files: number): string {
  if (radius > 0)
    return files > 1 ? 'a smaller `radius` or fewer files narrow them' : 'a smaller `radius` narrows them';
  return files > 1 ? 'fewer files narrow them' : 'the rest is in the file itself';
}

/** The pack before any budget, how many symbols there are, and what its lists lack by their own limits. */
function wholePack(
  collected: Collected,
  from: number,
): { pack: ContextOutput['context_pack']; total: number; capped: string[] } {
  const { related, remembered, concepts, commitCount, steps, stepCount } = collected;
  const symbols = inReported(collected.symbols, related?.related ?? [], collected.focus);
  const pack = {
    ...(related ? { related: [...related.related], tests: [...related.tests] } : {}),
    etg_steps: [...steps],
    ...(remembered.rows.length > 0 ? { memories: [...remembered.rows] } : {}),
    symbols: symbols.slice(from, from + MOST_SYMBOLS),
    concepts: [...concepts],
    summary: contextSummary(collected),
    files: collected.files.map(({ path, standing, change }) => ({
      path,
      standing,
      change,
      ...(standing === 'gone' ? { gone: true as const } : {}),
      ...(collected.reExports.has(path) ? { re_exports: [...(collected.reExports.get(path) ?? [])] } : {}),
    })),
  };
  const { files = 0, tests = 0 } = related?.linked ?? {};
  const capped = [
    capNote('files that are joined to them', files, contextRelated.max),
    capNote('test files that reach them', tests, contextTests.max),
    capNote('memories', remembered.count, contextMemories.max),
    capNote('commits', commitCount, contextCommits.max),
    capNote('earlier steps', stepCount, contextSteps.max),
  ];
  return { pack, total: symbols.length, capped: capped.filter((note) => note !== null) };
}

/** A list that its own limit cut says so. */
function capNote(name: string, count: number, most: number): string | null {
  return count > most ? `The first ${most} of ${count} ${name} are listed.` : null;
}

/** What was collected, in a few sentences: the files asked for, what is near them, and what is not known. */
function contextSummary({
  files,
  missing,
  notes,
  unwritten,
  symbols,
  concepts,
  stepCount,
  unresolved,
}: Collected): string {
  const own = symbols.filter(({ distance }) => distance === 0);
  const near = symbols.filter(({ distance }) => distance > 0);
  const sentences = files.map((file) =>
    sentenceOn(file, own.filter(({ path }) => path === file.path).length),
  );
  sentences.push(...missing.map(sentenceOnMissing), ...notes);
  if (unwritten.cut.length > 0) sentences.push('An index run did not finish: this is not all.');
  const places = new Set(near.map(({ path }) => path)).size;
  if (near.length > 0)
    sentences.push(`${plural(near.length, 'symbol')} in ${plural(places, 'file')} within reach.`);
  if (unresolved > 0) sentences.push(`Out of the project or not resolved: ${plural(unresolved, 'call')}.`);
  if (concepts.length > 0) sentences.push(`Mentioned: ${plural(concepts.length, 'concept')}.`);
  if (stepCount > 0) sentences.push(`Touched before in ${plural(stepCount, 'step')}.`);
  return sentences.join(' ');
}

function sentenceOnMissing({ path, onDisk, isFolder }: MissingFile): string {
  if (isFolder) return `${path || '.'} is a folder: name files in it.`;
  if (onDisk) return `${path} is not in the graph, but on disk: newer than the graph, or left out.`;
  return `${path} is not in the graph.`;
}

/**
 * Symbols in the order in which they are told: what is about to change, the files' own as they stand there, then what is
 * near by hops. Of as many hops, what `related` names comes first, as it ranks it, then the rest of its files, then
 * others; tests last, which have a list of their own.
 */
function inReported(
  symbols: Iterable<SymbolRow>,
  related: readonly RelatedRow[],
  focus: Focus | null,
): SymbolRow[] {
  const ranks = new Map<string, number>();
  for (const { id } of related) if (!ranks.has(id)) ranks.set(id, ranks.size);
  const fileRanks = new Map<string, number>();
  for (const { path } of related) if (!fileRanks.has(path)) fileRanks.set(path, fileRanks.size);
  const places = [...symbols].map((row) => {
    const isNear = row.distance > 0;
    const keys = [
      focus?.ids.has(row.id) ? 0 : 1,
      row.distance,
      isNear && isTestPath(row.path) ? 1 : 0,
      isNear ? (ranks.get(row.id) ?? ranks.size) : 0,
      isNear ? (fileRanks.get(row.path) ?? fileRanks.size) : 0,
    ];
    return { row, keys };
  });
  return places
    .sort((a, b) => compareKeys(a.keys, b.keys) || compareRows(a.row, b.row))
    .map(({ row }) => row);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, i) => key !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function compareRows(a: SymbolRow, b: SymbolRow): number {
  return compareText(a.path, b.path) || a.start_line - b.start_line || compareText(a.id, b.id);
}
