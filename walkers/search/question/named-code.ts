import { isA, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import { CodeSymbol, File, FileContainsSymbol } from '../../../schema/index.js';
import type { Frame } from './frames.js';
import type { Question } from './question.js';

/** Files that a bare name may mean: a name that is everywhere names nothing. */
const MOST_MEANT = 3;

/** What a question names outright. */
export interface NamedCode {
  /** Files that it names by their path, and those of its frames. */
  readonly files: ReadonlySet<string>;
  /** Symbols that its frames are in, the innermost frame first. */
  readonly traced: readonly string[];
}

/** The files and the places in traces that a question names, as far as the project has them. */
export async function namedCode(
  context: Pick<ReadContext, 'find' | 'q'>,
  { paths, frames }: Pick<Question, 'paths' | 'frames'>,
): Promise<NamedCode> {
  const files = new Set<string>();
  for (const path of paths) for (const file of await filesMeant(context, path)) files.add(file.path);
  const traced = new Set<string>();
  for (const frame of frames) {
    const meant = await filesMeant(context, frame.path);
    const [file] = meant;
    if (!file || meant.length > 1) continue;
    files.add(file.path);
    const symbol = await symbolAt(context, file, frame);
    if (symbol) traced.add(symbol.id);
  }
  return { files, traced: [...traced] };
}

/** The files that a path means: those whose path ends as it does, else those that it ends as. */
async function filesMeant(
  { find }: Pick<ReadContext, 'find'>,
  written: string,
): Promise<readonly NodeRef<typeof File>[]> {
  const path = written.replaceAll('\\', '/').replace(/^(?:\.\.?\/)+|\/+$/gu, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') return [];
  const called = (await find(File, { name })).filter((file) => isA(file.archetype, File) && !file.gone);
  const ending = called.filter((file) => file.path === path || file.path.endsWith(`/${path}`));
  const meant = ending.length > 0 ? ending : longest(called.filter((file) => path.endsWith(`/${file.path}`)));
  return meant.length <= MOST_MEANT ? meant : meant.filter((file) => file.path === path);
}

/** An absolute path from another machine ends as several files do: the longest is meant. */
function longest(files: readonly NodeRef<typeof File>[]): readonly NodeRef<typeof File>[] {
  return files.toSorted((a, b) => b.path.length - a.path.length).slice(0, 1);
}

/** The symbol of a frame: the one of its name around its line or, where lines moved, in its file; else what is around the line. */
async function symbolAt(
  { q }: Pick<ReadContext, 'q'>,
  file: NodeRef<typeof File>,
  { line, name }: Frame,
): Promise<NodeRef<typeof CodeSymbol> | undefined> {
  const symbols = await q(file).out(FileContainsSymbol).of(CodeSymbol);
  const around = symbols
    .filter(({ start_line, end_line }) => start_line <= line && line <= end_line)
    .sort((a, b) => a.end_line - a.start_line - (b.end_line - b.start_line));
  const callable = around.filter(({ callable_kind }) => callable_kind !== null);
  const called = symbols.filter((symbol) => symbol.name === name && symbol.callable_kind !== null);
  return (
    around.find((symbol) => symbol.name === name) ??
    (called.length === 1 ? called[0] : (callable[0] ?? around[0]))
  );
}
