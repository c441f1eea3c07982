import type { StepsContext } from '../../runtime/index.js';
import { writeIndex } from '../../search/index.js';
import { TEXT_MARK } from '../code/indexing/index-mark.js';
import { turn } from '../code/indexing/turn.js';
import { clearTexts } from '../code/text/clear-texts.js';
import { CODE_TEXT } from '../code/text/code-text.js';

/** Nodes, or names of bytes, that are taken out in one commit. */
const AT_ONCE = 512;

/**
 * Takes out the whole code graph with all that is kept beside it: what is known of files, indexes of words and vectors.
 * What was recorded, and memories, stay (ruling X-34). Bytes go first: whoever meets what is left of a run that was cut off
 * takes it for a graph that was never indexed. Of them the index of words goes first: half of it would be
 * taken for a whole one.
 */
export async function clearCode(context: StepsContext): Promise<void> {
  const { headerName } = writeIndex(context, CODE_TEXT);
  context.putBlob(TEXT_MARK, undefined);
  await clearTexts(context);
  const names: string[] = [];
  for await (const page of context.blobsUnder(''))
    for (const { name } of page) if (name !== headerName) names.push(name);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    for (const name of names.slice(at, at + AT_ONCE)) context.putBlob(name, undefined);
    await context.commit();
    await turn(context);
  }
  const ids: string[] = [];
  for await (const page of context.storedNodes('derived')) for (const { id } of page) ids.push(id);
  await context.commit();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const nodes = await context.nodes(ids.slice(at, at + AT_ONCE));
    await context.del(nodes.filter((node) => node !== undefined));
    await context.commit({ forget: true });
    await turn(context);
  }
}
