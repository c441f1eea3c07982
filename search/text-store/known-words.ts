import type { ReadContext } from '../../runtime/index.js';
import type { TextIndexType } from './definition.js';
import { IndexNames } from './names.js';

/** The words of an index that begin so, in byte order: for what is mistyped. */
export async function* wordsBeginning(
  { blobsUnder }: Pick<ReadContext, 'blobsUnder'>,
  type: Pick<TextIndexType, 'name' | 'layer'>,
  beginning: string,
): AsyncGenerator<string> {
  const names = new IndexNames(type);
  for await (const page of blobsUnder(names.term(beginning), type.layer))
    for (const { name } of page) yield name.slice(names.term('').length);
}
