import type { StepsContext } from '../../runtime/index.js';
import { clearIndexes, type IndexFamily, sweepIndexes, writeIndex } from '../../search/index.js';
import { insideRoot, type MakeDocuments, readText } from '../../source/index.js';
import { CODE_TEXT } from './documents.js';
import { type ProjectIndex, readFacts } from './project-index.js';
import { rootOf } from './scan.js';
import { type FileState, factsName, TEXT_MARK, TEXT_MARK_NOW, toBytes } from './state.js';
import { turn } from './write.js';

/** Text indexes of the code, those of earlier versions too. */
const CODE_TEXTS: IndexFamily = { family: 'code', layer: 'derived', types: [CODE_TEXT] };
/** Bytes that are taken out in one commit. */
const CLEARED_AT_ONCE = 2048;
/** Files whose documents are written with one commit. */
const FILES_PER_COMMIT = 64;

/**
 * Takes everything out of the text index, with the run's next commit, and then, some at a time, what is left of it. Only
 * the header stays and counts on, so that what readers cache of it is seen to be of another time.
 */
export async function clearTexts(context: StepsContext): Promise<void> {
  await clearIndexes(context, CODE_TEXTS);
  do await context.commit();
  while ((await sweepIndexes(context, CODE_TEXTS, CLEARED_AT_ONCE)) === CLEARED_AT_ONCE);
  await context.commit();
}

/** Marks the text index as not whole: whatever happens from here on, it is rebuilt. */
export async function dropTexts(context: StepsContext, index: ProjectIndex): Promise<void> {
  index.text = undefined;
  context.putBlob(TEXT_MARK, undefined);
  await context.commit();
}

/**
 * Rebuilds the text index from the facts that are stored and the texts on disk: nothing is parsed. Of a file that
 * changed since it was indexed only what the facts say is found, until it is indexed again.
 */
export async function rebuildTexts(
  context: StepsContext,
  index: ProjectIndex,
  documentsOf: MakeDocuments,
): Promise<void> {
  await dropTexts(context, index);
  await clearTexts(context);
  const texts = writeIndex(context, CODE_TEXT);
  const files = [...index.states].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let at = 0; at < files.length; at += FILES_PER_COMMIT) {
    context.progress({ phase: 'texts', done: at, total: files.length });
    const some = files.slice(at, at + FILES_PER_COMMIT);
    const stored = await context.blobs(some.map(([path]) => factsName(path)));
    for (const [i, [path, state]] of some.entries()) {
      const text = textOf(context, path, state);
      texts.putGroup(path, documentsOf({ path, text, facts: readFacts(stored[i]) }));
      await turn(context);
    }
    await texts.flush();
    await context.commit({ forget: true });
  }
  context.putBlob(TEXT_MARK, toBytes(TEXT_MARK_NOW));
  await context.commit();
  index.text = TEXT_MARK_NOW;
}

/** The text of a file as it was indexed; empty where it has none, or another one by now. */
function textOf(context: StepsContext, path: string, { hash, plain }: FileState): string {
  if (plain === 'minified') return '';
  const read = readText({ diskPath: insideRoot(rootOf(context), path).diskPath });
  // What failed has no hash: it is read again by every run.
  return read.ok && (read.hash === hash || hash === '') ? read.text : '';
}
