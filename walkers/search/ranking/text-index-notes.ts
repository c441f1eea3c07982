import { readIndex } from '../../../search/index.js';
import { CODE_TEXT } from '../../code/text/code-text.js';

/** What an answer that found nothing says where no text was indexed: the graph is older than the text index. */
export async function textIndexNotes(context: Parameters<typeof readIndex>[0]): Promise<string[]> {
  if ((await readIndex(context, CODE_TEXT).size()) > 0) return [];
  return ['No texts are indexed yet: codewalk index --text makes the text index.'];
}
