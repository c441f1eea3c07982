import type { ReadContext } from '../../../runtime/index.js';
import { File } from '../../../schema/index.js';

/** What an answer that found nothing says of a project in which there is nothing to find. */
export async function noFilesNotes({ findIds }: Pick<ReadContext, 'findIds'>): Promise<string[]> {
  return (await findIds(File)).length > 0 ? [] : ['The project has no files.'];
}
