import type { Graph } from '../runtime/index.js';
import { HistoryTexts } from '../walkers/index.js';

/**
 * Makes the text indexes of attempts and memories whole: where they are missing, half made or of an earlier version.
 * Where they are whole this is one look at two marks.
 *
 * @param anew All of them, whatever they are. Default false.
 */
export async function wholeHistoryTexts(
  graph: Pick<Graph, 'spawn'>,
  { anew = false }: { readonly anew?: boolean } = {},
): Promise<void> {
  const limits = { deadlineMs: Number.POSITIVE_INFINITY };
  const run = async (first: boolean) =>
    (await graph.spawn(HistoryTexts, null, { anew: first }, { limits })).output.done;
  let done = await run(anew);
  while (!done) done = await run(false);
}
