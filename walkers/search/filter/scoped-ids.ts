import type { ReadContext } from '../../../runtime/index.js';
import { File, FileContainsSymbol, parseId } from '../../../schema/index.js';
import { withinScope } from '../../query/parts/scope.js';

/**
 * Ids of the files in a scope and of the symbols in these.
 *
 * @param among Of these alone; null: of all.
 */
export async function scopedIds(
  { find, q, projectRoot }: Pick<ReadContext, 'find' | 'q' | 'projectRoot'>,
  scope: string,
  among: readonly string[] | null,
): Promise<string[]> {
  const isWithin = withinScope(scope, projectRoot);
  const files = (await find(File)).filter((file) => !file.gone && isWithin(file));
  if (among) {
    const paths = new Set(files.map(({ path }) => path));
    return among.filter((id) => paths.has(parseId(id)?.path ?? ''));
  }
  const ids = files.map(({ id }) => id);
  return [...ids, ...(await q(ids).out(FileContainsSymbol).ids())];
}
