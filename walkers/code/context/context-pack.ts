import { compareText } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { fitRows, type Shrink, tokensOf } from '../../token-budget.js';
import { UNFINISHED } from '../index-progress.js';
import { type AskedFile, sentenceOn } from './asked-file.js';
import type { MissingFile } from './asked-files.js';
import {
  type ConceptRow,
  type ContextOutput,
  isTestPath,
  type RelatedRow,
  type StepRow,
  type SymbolRow,
} from './context-rows.js';

const { packTokens } = LIMITS;

/** Nearest files and symbols that are named. */
const MAX_RELATED = 20;
/** How to get what was cut. */
const MORE = `max_tokens up to ${packTokens.max} gives more`;
/** Tests that are named. */
const MAX_TESTS = 20;

/** What the walk collected. */
export interface Collected {
  readonly files: readonly AskedFile[];
  readonly missing: readonly MissingFile[];
  /** False while an index run is not finished. */
  readonly complete: boolean;
  readonly symbols: readonly SymbolRow[];
  /** Files outside that call at their own level. */
  readonly callingFiles: readonly SymbolRow[];
  readonly related: ReadonlyMap<string, RelatedRow>;
  readonly concepts: readonly ConceptRow[];
  readonly steps: readonly StepRow[];
  /** Calls from the files' own symbols that lead to nothing in the project. */
  readonly unresolved: number;
}

const SHRINKS: readonly Shrink<SymbolRow>[] = [
  { what: 'docstrings', apply: ({ docstring: _, ...row }) => row },
  { what: 'signatures', apply: ({ signature: _, ...row }) => row },
];

/**
 * Makes the answer: rows in their order, within the budget, and the same as Markdown. The default budget
 * shrinks fields alone; rows fall at a budget that the caller gave, else at the ceiling (P-02). What stands
 * beside the symbols takes half of it at most.
 */
export function contextPack(
  collected: Collected,
  radius: number,
  budget: { tokens: number; given: boolean },
): ContextOutput {
  const ordered = [...collected.symbols].sort(nearestFirst);
  const rows = budget.given ? budget.tokens : packTokens.max;
  const asked = new Set(collected.files.map(({ path }) => path));
  const related = [...collected.related.values()]
    .filter(({ path, line }) => !(asked.has(path) && line === null))
    .sort((a, b) => b.score - a.score || compareText(a.id, b.id))
    .slice(0, MAX_RELATED);
  const tests = [...ordered, ...collected.callingFiles]
    .filter(({ path, distance }) => distance > 0 && isTestPath(path))
    .sort(nearestFirst)
    .slice(0, MAX_TESTS);
  const summary = summaryOf(collected, ordered);
  const beside = new Share(Math.floor(rows / 2));
  const [fittedRelated, fittedTests] = [beside.fit('related', related), beside.fit('tests', tests)];
  const concepts = beside.fit('concepts', collected.concepts);
  const etg_steps = beside.fit('earlier steps', collected.steps);
  const used = tokensOf(summary) + beside.used;
  const symbols = fitRows('symbols', ordered, { fields: budget.tokens - used, rows: rows - used }, SHRINKS);
  const pack = {
    ...(radius > 0 ? { related: fittedRelated, tests: fittedTests } : {}),
    symbols: [...symbols.rows],
    concepts,
    etg_steps,
    summary,
  };
  const unfinished = collected.complete ? [] : [UNFINISHED];
  const cut = [...beside.cut, ...symbols.cut];
  return {
    context_pack: pack,
    returnDisplay: displayOf(pack),
    state: {
      cut: [...unfinished, ...cut, ...(cut.length > 0 && budget.tokens < packTokens.max ? [MORE] : [])],
      unresolved: collected.unresolved,
      pending: collected.files.filter(({ change }) => change !== null).length,
    },
  };
}

function nearestFirst(a: SymbolRow, b: SymbolRow): number {
  return (
    a.distance - b.distance ||
    compareText(a.path, b.path) ||
    a.start_line - b.start_line ||
    compareText(a.id, b.id)
  );
}

/** A number of tokens that several lists share: who comes first takes first. */
class Share {
  readonly #tokens: number;
  readonly cut: string[] = [];
  used = 0;

  constructor(tokens: number) {
    this.#tokens = tokens;
  }

  fit<T>(name: string, rows: readonly T[]): T[] {
    if (rows.length === 0) return [];
    const left = this.#tokens - this.used;
    const fitted = fitRows(name, rows, { fields: left, rows: left });
    this.cut.push(...fitted.cut);
    this.used += tokensOf(fitted.rows);
    return [...fitted.rows];
  }
}

function summaryOf(
  { files, missing, complete, concepts, steps, unresolved }: Collected,
  symbols: readonly SymbolRow[],
): string {
  const own = symbols.filter(({ distance }) => distance === 0);
  const near = symbols.filter(({ distance }) => distance > 0);
  const sentences = files.map((file) =>
    sentenceOn(file, own.filter(({ path }) => path === file.path).length),
  );
  for (const { path, onDisk } of missing)
    sentences.push(
      onDisk
        ? `${path} is not in the graph, but on disk: newer than the graph, or left out.`
        : `${path} is not in the graph.`,
    );
  if (!complete) sentences.push('An index run did not finish: this is not all.');
  const places = new Set(near.map(({ path }) => path)).size;
  if (near.length > 0) sentences.push(`${near.length} symbols in ${places} files are within reach.`);
  if (unresolved > 0) sentences.push(`${unresolved} calls lead out of the project or could not be resolved.`);
  if (concepts.length > 0) sentences.push(`${concepts.length} concepts are mentioned.`);
  if (steps.length > 0) sentences.push(`${steps.length} earlier steps touched these files.`);
  return sentences.join(' ');
}

function displayOf(pack: ContextOutput['context_pack']): string {
  const sections = [pack.summary];
  if (pack.related && pack.related.length > 0)
    sections.push(
      `### Related\n${pack.related.map((row) => `- ${place(row)} ${row.name} (${row.why})`).join('\n')}`,
    );
  if (pack.tests && pack.tests.length > 0)
    sections.push(
      `### Tests\n${pack.tests.map((row) => `- ${row.path}:${row.start_line} ${row.name}`).join('\n')}`,
    );
  for (const [path, rows] of byPath(pack.symbols))
    sections.push(`### ${path}\n${rows.map(symbolLine).join('\n')}`);
  if (pack.concepts.length > 0)
    sections.push(
      `### Concepts\n${pack.concepts.map(({ label, path }) => `- ${label} (${path})`).join('\n')}`,
    );
  if (pack.etg_steps.length > 0)
    sections.push(
      `### Earlier steps\n${pack.etg_steps.map(({ id, summary, path }) => `- ${summary ?? id} (${path})`).join('\n')}`,
    );
  return `${sections.join('\n\n')}\n`;
}

function symbolLine({
  start_line,
  end_line,
  kind,
  name,
  signature,
  docstring,
  distance,
  relation,
}: SymbolRow): string {
  const head = signature && signature !== '' ? `\`${signature.replaceAll('`', "'")}\`` : `${kind} ${name}`;
  const how = distance === 0 ? '' : ` [${relation}, ${distance}]`;
  return `- ${start_line}-${end_line} ${head}${how}${docstring ? `: ${docstring}` : ''}`;
}

function place({ path, line }: RelatedRow): string {
  return line === null ? path : `${path}:${line}`;
}

/** Rows by file, files in the order in which they are first mentioned: JSON and Markdown tell the same order. */
function byPath(rows: readonly SymbolRow[]): Map<string, SymbolRow[]> {
  const groups = new Map<string, SymbolRow[]>();
  for (const row of rows) {
    const group = groups.get(row.path);
    if (group) group.push(row);
    else groups.set(row.path, [row]);
  }
  return groups;
}
