import { plural } from '../../markdown.js';
import { sentenceOn } from './asked-file.js';
import type { MissingFile } from './asked-files.js';
import type { Collected } from './context-pack.js';

/** What was collected, in a few sentences: the files asked for, what is near them, and what is not known. */
export function contextSummary({
  files,
  missing,
  notes,
  unwritten,
  symbols,
  concepts,
  stepCount,
  unresolved,
}: Collected): string {
  const own = symbols.filter(({ distance }) => distance === 0);
  const near = symbols.filter(({ distance }) => distance > 0);
  const sentences = files.map((file) =>
    sentenceOn(file, own.filter(({ path }) => path === file.path).length),
  );
  sentences.push(...missing.map(sentenceOnMissing), ...notes);
  if (unwritten.cut.length > 0) sentences.push('An index run did not finish: this is not all.');
  const places = new Set(near.map(({ path }) => path)).size;
  if (near.length > 0)
    sentences.push(`${plural(near.length, 'symbol')} in ${plural(places, 'file')} within reach.`);
  if (unresolved > 0) sentences.push(`Out of the project or not resolved: ${plural(unresolved, 'call')}.`);
  if (concepts.length > 0) sentences.push(`Mentioned: ${plural(concepts.length, 'concept')}.`);
  if (stepCount > 0) sentences.push(`Touched before in ${plural(stepCount, 'step')}.`);
  return sentences.join(' ');
}

function sentenceOnMissing({ path, onDisk, isFolder }: MissingFile): string {
  if (isFolder) return `${path || '.'} is a folder: name files in it.`;
  if (onDisk) return `${path} is not in the graph, but on disk: newer than the graph, or left out.`;
  return `${path} is not in the graph.`;
}
