import { createHash } from 'node:crypto';
import { isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodeSymbol, File, fileId } from '../../schema/index.js';
import { type Lines, symbolLines } from '../code/indexing/symbol-lines.js';
import { type TextOnDisk, textOnDisk } from './text-on-disk.js';

/**
 * What a file's bytes are on disk, as SHA-256 in hex: equal to `hash` of its node where nothing changed since it was
 * indexed. Of a symbol: of its own lines, so that an edit elsewhere in the file is none of it. Null for what has no
 * text, a file that cannot or must not be read, and a symbol that is not there any more.
 */
export async function contentHash(
  context: Pick<ReadContext, 'projectRoot' | 'nodesOf'>,
  node: NodeRef,
): Promise<string | null> {
  const { nodesOf } = context;
  if (isA(node.archetype, File))
    return (await textOnDisk(context, node.id.slice(fileId('').length)))?.hash ?? null;
  const [symbol] = isA(node.archetype, CodeSymbol) ? await nodesOf(CodeSymbol, [node.id]) : [];
  if (!symbol || symbol.gone) return null;
  const read = await textOnDisk(context, symbol.path);
  const lines = read && (await linesNow(context, symbol, read));
  if (!read || !lines) return null;
  const own = read.text.split('\n').slice(lines.start_line - 1, lines.end_line);
  return createHash('sha256').update(own.join('\n')).digest('hex');
}

/** Where a symbol stands: as the graph has it, or, in a file that changed since, as the file says now. */
async function linesNow(
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
  symbol: NodeRef<typeof CodeSymbol>,
  { hash, diskPath }: TextOnDisk,
): Promise<Lines | undefined> {
  const [file] = await nodesOf(File, [fileId(symbol.path)]);
  if (file?.hash === hash) return symbol;
  const now = await symbolLines(symbol.path, diskPath);
  return now?.hash === hash ? now.lines.get(symbol.id) : undefined;
}
