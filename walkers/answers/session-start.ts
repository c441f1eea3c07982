import { CodeSymbol, File } from '../../schema/index.js';
import { plural } from '../markdown.js';
import { ATTEMPTS } from '../trace/attempts/attempt-index.js';
import type { Asked } from './question.js';
import type { Remark } from './shown-record.js';

const KEY = 'session start';
const INDEXING =
  "the project is being indexed in the background, once; 'codewalk config set auto_index false' switches that off.";

/** What is known of the project, in counts, and which tools ask for it; nothing where nothing is known. */
export async function sessionStart({ question, context, told }: Asked): Promise<Remark[]> {
  if (told(KEY)) return [];
  const [files, symbols] = [await context.findIds(File), await context.findIds(CodeSymbol)];
  const tasks = await context.digest(ATTEMPTS, (index) => {
    const failed = [...index.all()].filter(({ sources }) => sources.length > 0);
    return { all: index.size, failed: failed.length, mended: failed.filter((one) => one.succeeded).length };
  });
  const indexing = question.indexing === true;
  if (files.length === 0 && tasks.all === 0 && !indexing) return [];
  const known = [
    ...(symbols.length > 0
      ? [`${plural(files.length, 'file')} with ${plural(symbols.length, 'symbol')}`]
      : []),
    ...(tasks.all > 0 ? [plural(tasks.all, 'earlier task')] : []),
    ...(tasks.failed > 0
      ? [`${plural(tasks.failed, 'task')} that met failures, ${tasks.mended} of them with what mended it`]
      : []),
  ];
  const sentences = [
    ...(known.length > 0 ? [`known of this project: ${known.join('; ')}.`] : []),
    ...(symbols.length > 0 ? ['Tool graph_context_for_files tells what is around files.'] : []),
    ...(tasks.all > 0
      ? ['Tool etg_query_similar_attempts tells whether a task or a failure was met before.']
      : []),
    ...(indexing ? [known.length > 0 ? `Also, ${INDEXING}` : INDEXING] : []),
  ];
  return sentences.length > 0 ? [{ what: sentences.join(' '), quoted: [], keys: [KEY] }] : [];
}
