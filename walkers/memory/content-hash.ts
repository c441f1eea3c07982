import { createHash } from 'node:crypto';
import { isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodeSymbol, File, fileId } from '../../schema/index.js';
import { insideRoot, readText } from '../../source/index.js';

/**
 * What a file's bytes are on disk, as SHA-256 in hex: equal to `hash` of its node where nothing changed since it was
 * indexed. Of a symbol: of its own lines, so that an edit elsewhere in the file is none of it. Null for what has no
 * text, a file that cannot be read, and a symbol whose file changed since it was indexed: where it is now is not known.
 */
export async function contentHash(
  { projectRoot, nodesOf }: Pick<ReadContext, 'projectRoot' | 'nodesOf'>,
  node: NodeRef,
): Promise<string | null> {
  if (projectRoot === null) return null;
  if (isA(node.archetype, File)) return onDisk(projectRoot, node.id.slice(fileId('').length))?.hash ?? null;
  const [symbol] = isA(node.archetype, CodeSymbol) ? await nodesOf(CodeSymbol, [node.id]) : [];
  if (!symbol || symbol.gone) return null;
  const [file] = await nodesOf(File, [fileId(symbol.path)]);
  const read = onDisk(projectRoot, symbol.path);
  if (!file || !read || read.hash !== file.hash) return null;
  const lines = read.text.split('\n').slice(symbol.start_line - 1, symbol.end_line);
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function onDisk(root: string, path: string): { readonly text: string; readonly hash: string } | null {
  try {
    const read = readText({ diskPath: insideRoot(root, path).diskPath });
    return read.ok ? read : null;
  } catch {
    // A path that became a link out of the root.
    return null;
  }
}
