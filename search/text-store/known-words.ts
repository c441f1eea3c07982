import type { ReadContext } from '../../runtime/index.js';
import type { TextIndexType } from './definition.js';
import { headerOf } from './header.js';
import { headerName, IndexNames } from './names.js';

/** The words of an index that begin so, in byte order: for what is mistyped. */
export async function* wordsBeginning(
  { blobs, blobsUnder }: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
  type: Pick<TextIndexType, 'name' | 'layer'>,
  beginning: string,
): AsyncGenerator<string> {
  const [header] = await blobs([headerName(type)], type.layer);
  const names = new IndexNames(type, headerOf(header));
  for await (const page of blobsUnder(names.term(beginning), type.layer))
    for (const { name } of page) yield name.slice(names.term('').length);
}
