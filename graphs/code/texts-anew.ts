import type { StepsContext } from '../../runtime/index.js';
import { type Beside, insideRoot, readText } from '../../source/index.js';
import { readFacts } from './facts-store.js';
import { type FileState, factsName, toBytes } from './file-state.js';
import { TEXT_MARK, TEXT_MARK_NOW } from './index-mark.js';
import type { ProjectIndex } from './project-index.js';
import { rootOf } from './scope.js';
import { clearTexts } from './text/clear-texts.js';
import { CodeTexts } from './text/code-texts.js';
import { turn } from './turn.js';

/** Files whose documents are written with one commit. */
const FILES_PER_COMMIT = 64;

/** Says that there is no whole text index: whatever happens from here on, it is made anew. */
export async function dropTexts(context: StepsContext, index: ProjectIndex): Promise<void> {
  index.text = undefined;
  context.putBlob(TEXT_MARK, undefined);
  await context.commit();
}

/**
 * Makes the text index anew, from the facts that are kept and the texts on disk: nothing is parsed. Of a file that
 * changed since it was indexed only what the facts say is found, until it is indexed again.
 */
export async function makeTextsAnew(
  context: StepsContext,
  index: ProjectIndex,
  documentsOf: Beside,
): Promise<void> {
  await dropTexts(context, index);
  await clearTexts(context);
  const texts = new CodeTexts(context);
  const files = [...index.states].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let at = 0; at < files.length; at += FILES_PER_COMMIT) {
    context.progress({ phase: 'texts', done: at, total: files.length });
    const some = files.slice(at, at + FILES_PER_COMMIT);
    const kept = await context.blobs(some.map(([path]) => factsName(path)));
    for (const [i, [path, state]] of some.entries()) {
      const bytes = kept[i];
      const facts = (bytes && readFacts(bytes)) ?? null;
      texts.put(path, documentsOf({ path, text: textOf(context, path, state), facts }));
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
