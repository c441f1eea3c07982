import { readFileSync, statSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StepsContext } from '../../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../../schema/index.js';
import { insideRoot, readText } from '../../../source/index.js';
import type { FileProblem } from '../index-output.js';
import type { ProjectIndex } from '../project-index.js';
import { rootOf } from '../scan.js';
import { fromBytes, stateBytes, stateName, toBytes } from '../state.js';
import { definitionIds } from '../symbols.js';
import { turn } from '../write.js';
import { COMPILER_EDGES, CompilerEdges, compilerEdgesName } from './compiler-edges.js';
import {
  type Descriptor,
  lastDescriptor,
  ROLE,
  type ScipDocument,
  type ScipMetadata,
  type ScipOccurrence,
  scipParts,
} from './format.js';

/**
 * The share of a document's definitions that may stand elsewhere in its file: indexers give places, too, to what is written
 * nowhere, as the module that a file is.
 */
const ELSEWHERE = 0.2;
/** Kinds of symbols that stand in the text by their own name. */
const NAMED: ReadonlySet<string> = new Set<Descriptor['kind']>(['type', 'term', 'method', 'macro']);
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** What an import came to. */
interface Imported {
  /** The name of the tool that made the index. */
  readonly tool: string;
  /** Files of which a compiler's word is stored now. */
  readonly files: number;
  /** Places in them whose meaning it says. */
  readonly places: number;
  /** Files that an earlier index of the tool had a word of, and this one has not. */
  readonly dropped: number;
  /** Documents that were left out, each with the reason. */
  readonly left_out: FileProblem[];
}

/** A definition of the project, by its file's path and its id; then ids of more that it is declared by. */
type Defined = readonly [path: string, id: string, ...more: string[]];

/**
 * Stores what a SCIP index says of the project's files, in the place of what an earlier index of the same tool said, and
 * notes that these files are to be resolved again.
 *
 * @param index Is up to date: documents of files that are otherwise by now are left out.
 * @param options.prefix The folder of the project in which the index's paths begin; null: as the index says.
 * @throws CodewalkError `INVALID_INPUT` where the file is no index, or has nothing of the project.
 */
export async function storeCompilerEdges(
  context: StepsContext,
  index: ProjectIndex,
  { file, prefix }: { readonly file: string; readonly prefix: string | null },
): Promise<Imported> {
  const bytes = bytesOf(file);
  const { tool, folder } = metadataOf(context, file, bytes, prefix);
  const defined = new Map<string, Defined>();
  const current = new Set<string>();
  const left_out: FileProblem[] = [];
  for (const [path, document] of documentsOf(file, bytes, folder)) {
    await turn(context);
    const found = await definedIn(context, index, path, document);
    if ('reason' in found) {
      left_out.push({ path, ...found });
      continue;
    }
    current.add(path);
    for (const [symbol, [id, ...more]] of found.ids) {
      const key = symbolKey(path, symbol);
      if (!defined.has(key)) defined.set(key, [path, id, ...more]);
    }
  }
  if (current.size === 0) throw nothingOf(file, folder, left_out);
  const dropped = await drop(context, index, (path, edges) => edges.tool === tool && !current.has(path));
  let places = 0;
  for (const [path, document] of documentsOf(file, bytes, folder)) {
    const state = current.has(path) ? index.states.get(path) : undefined;
    if (!state) continue;
    await turn(context);
    const edges = edgesOf(path, document, linesOf(context, path), defined);
    places += edges.places.length;
    put(context, index, path, { tool, hash: state.hash, ...edges });
  }
  await context.commit();
  return { tool, files: current.size, places, dropped, left_out };
}

/** Forgets what compilers said, and notes that these files are to be resolved again. Returns of how many files. */
export async function dropCompilerEdges(context: StepsContext, index: ProjectIndex): Promise<number> {
  const dropped = await drop(context, index, () => true);
  await context.commit();
  return dropped;
}

async function drop(
  context: StepsContext,
  index: ProjectIndex,
  isGone: (path: string, edges: CompilerEdges) => boolean,
): Promise<number> {
  let dropped = 0;
  for await (const page of context.blobsUnder(COMPILER_EDGES))
    for (const { name, value } of page) {
      const path = name.slice(COMPILER_EDGES.length);
      const edges = fromBytes(value, CompilerEdges);
      if (edges && !isGone(path, edges)) continue;
      put(context, index, path, undefined);
      dropped += 1;
    }
  return dropped;
}

function put(
  context: StepsContext,
  index: ProjectIndex,
  path: string,
  edges: CompilerEdges | undefined,
): void {
  context.putBlob(compilerEdgesName(path), edges && toBytes(edges));
  const before = index.states.get(path);
  if (!before) return;
  const state = { ...before, part: null };
  index.set(path, state);
  context.putBlob(stateName(path), stateBytes(state));
}

function bytesOf(file: string): Uint8Array {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw refusal(file, 'it does not exist');
  if (size === 0) throw refusal(file, 'it is empty');
  if (size > LIMITS.scipImport.max)
    throw refusal(file, `it has ${size} bytes, of at most ${LIMITS.scipImport.max}`);
  try {
    return readFileSync(file);
  } catch (cause) {
    throw refusal(file, String(cause));
  }
}

function refusal(file: string, why: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `file: '${file}' cannot be imported: ${why}`, {
    input: file,
    suggestion: 'Name a SCIP index, as scip-typescript, scip-java, rust-analyzer and others write it.',
  });
}

function nothingOf(file: string, folder: string, left_out: readonly FileProblem[]): CodewalkError {
  const [first] = left_out;
  const why =
    first === undefined
      ? 'it has no documents'
      : `none of its ${left_out.length} documents is of this project as it is; the first: ${first.path}: ${first.detail}`;
  return new CodewalkError('INVALID_INPUT', `file: '${file}' was not imported: ${why}`, {
    input: file,
    suggestion:
      folder === ''
        ? 'Make the index again, or say with --prefix in which folder its paths begin.'
        : `Its paths were read from the folder ${folder} on: say with --prefix where they begin.`,
  });
}

/** The parts of an index. @throws CodewalkError `INVALID_INPUT` where it is none. */
function* partsOf(file: string, bytes: Uint8Array): Generator<ScipMetadata | ScipDocument> {
  try {
    yield* scipParts(bytes);
  } catch (cause) {
    throw refusal(file, `it is no SCIP index, or damaged: ${cause instanceof Error ? cause.message : cause}`);
  }
}

/** The documents of an index, each with its path in the project. */
function* documentsOf(file: string, bytes: Uint8Array, folder: string): Generator<[string, ScipDocument]> {
  for (const part of partsOf(file, bytes))
    if ('occurrences' in part) yield [posix.join(folder, part.path.replaceAll('\\', '/')), part];
}

/** Who made the index, and the folder of the project in which its paths begin. */
function metadataOf(
  context: StepsContext,
  file: string,
  bytes: Uint8Array,
  prefix: string | null,
): { tool: string; folder: string } {
  for (const part of partsOf(file, bytes)) {
    if ('occurrences' in part) continue;
    return { tool: part.tool || 'SCIP', folder: prefix ?? folderOf(part.root, rootOf(context)) };
  }
  throw refusal(file, 'it is no SCIP index: it has no metadata');
}

/** The folder of the project that an index's root is; '' for one that is elsewhere: it was made in another checkout. */
function folderOf(url: string, root: string): string {
  try {
    const way = relative(root, fileURLToPath(url)).replaceAll('\\', '/');
    return way.startsWith('..') || /^(?:\/|[A-Za-z]:)/.test(way) ? '' : way;
  } catch {
    return '';
  }
}

function linesOf(context: StepsContext, path: string): string[] {
  const read = readText({ diskPath: insideRoot(rootOf(context), path).diskPath });
  return read.ok ? read.text.split('\n') : [];
}

/** The definitions of a document that the file has, by symbol; or why the document is left out. */
async function definedIn(
  context: StepsContext,
  index: ProjectIndex,
  path: string,
  document: ScipDocument,
): Promise<{ ids: Map<string, [string, ...string[]]> } | Omit<FileProblem, 'path'>> {
  const state = index.states.get(path);
  if (!state?.extracted) return { reason: 'unknown', detail: 'the graph has no symbols of such a file' };
  await index.facts.load(context, [path]);
  const facts = index.facts.get(path)?.facts;
  index.facts.trim();
  if (!facts) return { reason: 'unknown', detail: 'its facts cannot be read' };
  const lines = linesOf(context, path);
  const ids = definitionIds(path, facts);
  const byLine = new Map<string, string>();
  for (const [at, { name, name_line }] of facts.definitions.entries()) {
    const key = `${name_line}:${name}`;
    if (!byLine.has(key)) byLine.set(key, ids[at] ?? '');
  }
  const found = new Map<string, [string, ...string[]]>();
  let [seen, elsewhere] = [0, 0];
  for (const one of document.occurrences) {
    if ((one.roles & ROLE.definition) === 0) continue;
    const text = textAt(one, lines, document).replace(/^(['"`])(.*)\1$/, '$2');
    const descriptor = lastDescriptor(one.symbol);
    // Names of others are made up, as `key0:` for a key of an object.
    if (
      one.end_column !== null &&
      one.end_column > one.column &&
      descriptor &&
      NAMED.has(descriptor.kind) &&
      IDENTIFIER.test(descriptor.name)
    ) {
      seen += 1;
      if (text !== descriptor.name) elsewhere += 1;
    }
    const id = byLine.get(`${one.line + 1}:${text}`);
    const before = found.get(one.symbol);
    if (id !== undefined && before) before.push(id);
    else if (id !== undefined) found.set(one.symbol, [id]);
  }
  if (elsewhere > seen * ELSEWHERE)
    return {
      reason: 'changed',
      detail: `${elsewhere} of ${seen} definitions stand elsewhere: the file is not the one that was indexed`,
    };
  return { ids: found };
}

/** What a symbol is told apart by in the whole index: a local one is its document's own. */
function symbolKey(path: string, symbol: string): string {
  return symbol.startsWith('local ') ? `${path} ${symbol}` : symbol;
}

/** What a compiler says of a document's places, as far as it is about definitions of the project. */
function edgesOf(
  path: string,
  document: ScipDocument,
  lines: readonly string[],
  defined: ReadonlyMap<string, Defined>,
): Pick<CompilerEdges, 'targets' | 'places' | 'behind'> {
  const targets: [string, string, ...string[]][] = [];
  const numbers = new Map<string, number>();
  const targetOf = (symbol: string): number | null => {
    const target = defined.get(symbolKey(path, symbol));
    if (!target) return null;
    const known = numbers.get(target[1]);
    if (known !== undefined) return known;
    numbers.set(target[1], targets.length);
    return targets.push([...target]) - 1;
  };
  const places: [number, number, number][] = [];
  for (const one of document.occurrences) {
    const target = (one.roles & ROLE.definition) === 0 ? targetOf(one.symbol) : null;
    if (target !== null)
      places.push([one.line + 1, columnOf(one.column, lines[one.line] ?? '', document), target]);
  }
  const behind: [string, number][] = [];
  for (const [symbol, others] of document.implemented) {
    const own = defined.get(symbolKey(path, symbol));
    for (const other of own ? others : []) {
      const target = targetOf(other);
      if (own && target !== null) behind.push([own[1], target]);
    }
  }
  return { targets, places, behind };
}

/** The text of an occurrence; empty where it has several lines, or ends outside of its line. */
function textAt(
  { line, column, end_column }: ScipOccurrence,
  lines: readonly string[],
  document: ScipDocument,
): string {
  const text = lines[line] ?? '';
  if (end_column === null) return '';
  return text.slice(columnOf(column, text, document), columnOf(end_column, text, document));
}

/** A column of a document in UTF-16 units. */
function columnOf(column: number, line: string, { columns }: ScipDocument): number {
  // What is ASCII counts the same everywhere.
  if (columns === 'utf16' || Buffer.byteLength(line) === line.length) return column;
  if (columns === 'utf8') return Buffer.from(line).subarray(0, column).toString().length;
  return [...line].slice(0, column).join('').length;
}
