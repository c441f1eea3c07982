import { compareText, isA, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import { CodeSymbol, File, FileContainsSymbol } from '../../../schema/index.js';
import { languageOf } from '../../../source/index.js';
import type { Frame, Question } from './question.js';

/** Files that a bare name may mean: a name that is everywhere names nothing. */
const MOST_INTENDED = 3;
/** Names that a path from elsewhere has in common with a file at the least: its own, and its folder's. */
const LEAST_COMMON = 2;
/** Where packages are installed: behind it stands a whole package. */
const INSTALLED = /^(?:|.*\/)(?:site|dist)-packages\//u;
/** Where others' code lies: it names nothing of the project. */
const FOREIGN = /(?:^|\/)(?:node_modules|lib\/python\d[\d.]*)\//u;
/** Where tools put what they make of the sources. */
const BUILT = /^(?:|.*\/)(?:dist|build|out|lib|es|esm|cjs)\//u;

/** The files that a path means. */
interface IntendedFiles {
  readonly files: readonly NodeRef<typeof File>[];
  /** Whether they are the files of that path, and no others that were installed or built from them: lines may differ. */
  readonly isSame: boolean;
}

/**
 * The files that a path means: those whose path ends as it does, else those that it ends as, else the one file that an
 * installed or built copy was made from: that of the longest end that both have in common, where it is alone in that.
 */
async function intendedFiles(
  context: Pick<ReadContext, 'find' | 'lookUp' | 'nodes'>,
  written: string,
): Promise<IntendedFiles> {
  const path = written
    .replaceAll('\\', '/')
    .replace(/^(?:\.\.?\/)+/u, '')
    .replace(/(?<!\/)\/+$/u, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') return { files: [], isSame: true };
  const called = (await context.find(File, { name })).filter(isThere);
  const ending = called.filter((file) => file.path === path || file.path.endsWith(`/${path}`));
  const intended =
    ending.length > 0 ? ending : longest(called.filter((file) => path.endsWith(`/${file.path}`)));
  if (intended.length === 0) return { files: await sourceOf(context, path, name), isSame: false };
  const files = intended.length <= MOST_INTENDED ? intended : intended.filter((file) => file.path === path);
  return { files, isSame: true };
}

/** An absolute path from another machine ends as several files do: the longest match counts. */
function longest(files: readonly NodeRef<typeof File>[]): readonly NodeRef<typeof File>[] {
  return files.toSorted((a, b) => b.path.length - a.path.length).slice(0, 1);
}

async function sourceOf(
  { lookUp, nodes }: Pick<ReadContext, 'lookUp' | 'nodes'>,
  path: string,
  name: string,
): Promise<readonly NodeRef<typeof File>[]> {
  const language = languageOf(name);
  const isInstalled = INSTALLED.test(path);
  if (!path.includes('/') || !language?.grammar || (!isInstalled && FOREIGN.test(path))) return [];
  const stem = stemOf(name);
  const ids: string[] = [];
  for await (const page of lookUp(File, 'name', { prefix: `${stem}.` })) ids.push(...page);
  const near: { file: NodeRef<typeof File>; common: number }[] = [];
  for (const file of await nodes(ids)) {
    if (!file || !isFile(file) || !isThere(file)) continue;
    // What a build makes is of another language of the same world, as JavaScript of TypeScript.
    if (stemOf(file.name) !== stem || languageOf(file.name)?.ecosystem !== language.ecosystem) continue;
    near.push({ file, common: commonEnd(path, file.path) });
  }
  const whole = path.replace(isInstalled ? INSTALLED : BUILT, '').split('/').length;
  const least = isInstalled ? whole : Math.min(whole, LEAST_COMMON);
  const most = Math.max(0, ...near.map(({ common }) => common));
  const best = near.filter(({ common }) => common === most && common >= least);
  return best.length === 1 ? best.map(({ file }) => file) : [];
}

/** Names that two paths have in common at their ends; of the last ones the stems are equal. */
function commonEnd(a: string, b: string): number {
  const [one, other] = [a.split('/').reverse(), b.split('/').reverse()];
  const differ = one.findIndex((name, at) => at > 0 && name !== other[at]);
  return differ < 0 ? one.length : differ;
}

/** The name of a file without the ending of its language. */
function stemOf(name: string): string {
  const language = languageOf(name);
  const ending = language?.grammar ? language.extensions.find((one) => name.toLowerCase().endsWith(one)) : '';
  return name.slice(0, name.length - (ending?.length ?? 0));
}

function isThere(file: NodeRef<typeof File>): boolean {
  return isFile(file) && !file.gone;
}

function isFile(node: NodeRef): node is NodeRef<typeof File> {
  return isA(node.archetype, File);
}

/** What a question names outright. */
export interface NamedCode {
  /** Files that it names by their path, and those of its frames. */
  readonly files: ReadonlySet<string>;
  /** Symbols that its frames are in, the innermost frame first. */
  readonly traced: readonly string[];
}

/** The files and the places in traces that a question names, as far as the project has them. */
export async function namedCode(
  context: Pick<ReadContext, 'find' | 'lookUp' | 'nodes' | 'q'>,
  { paths, frames }: Pick<Question, 'paths' | 'frames'>,
): Promise<NamedCode> {
  const files = new Set<string>();
  for (const path of paths) {
    const intended = await intendedFiles(context, path);
    for (const file of intended.files) files.add(file.path);
  }
  const traced = new Set<string>();
  for (const frame of frames) {
    const { files: intended, isSame } = await intendedFiles(context, frame.path);
    const [file] = intended;
    if (!file || intended.length > 1) continue;
    files.add(file.path);
    const symbol = await symbolAt(context, file, frame, isSame);
    if (symbol) traced.add(symbol.id);
  }
  return { files, traced: [...traced] };
}

/**
 * The symbol of a frame: the one of its name around its line or, where lines moved, the nearest of it in its file; else
 * what is around the line, where the lines are those of the file.
 */
async function symbolAt(
  { q }: Pick<ReadContext, 'q'>,
  file: NodeRef<typeof File>,
  { line, name }: Frame,
  isSame: boolean,
): Promise<NodeRef<typeof CodeSymbol> | undefined> {
  const symbols = await q(file).out(FileContainsSymbol).of(CodeSymbol);
  const around = symbols
    .filter(({ start_line, end_line }) => start_line <= line && line <= end_line)
    .sort((a, b) => a.end_line - a.start_line - (b.end_line - b.start_line));
  const callable = around.filter(({ callable_kind }) => callable_kind !== null);
  const far = ({ start_line, end_line }: NodeRef<typeof CodeSymbol>) =>
    Math.max(start_line - line, line - end_line);
  const [nearest] = symbols
    .filter((symbol) => symbol.name === name && symbol.callable_kind !== null)
    .sort((a, b) => far(a) - far(b) || compareText(a.id, b.id));
  return (
    around.find((symbol) => symbol.name === name) ??
    nearest ??
    (isSame ? (callable[0] ?? around[0]) : undefined)
  );
}
