import { compareText, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import { CodeSymbol, type File, FileContainsSymbol } from '../../../schema/index.js';
import { filesMeant } from './files-meant.js';
import type { Frame } from './frames.js';
import type { Question } from './question.js';

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
    const meant = await filesMeant(context, path);
    for (const file of meant.files) files.add(file.path);
  }
  const traced = new Set<string>();
  for (const frame of frames) {
    const { files: meant, isSame } = await filesMeant(context, frame.path);
    const [file] = meant;
    if (!file || meant.length > 1) continue;
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
