import { parseId } from '../../../schema/index.js';
import { plural } from '../../markdown.js';
import { quotedLine, quotedName, shownLine } from '../../shown-text.js';
import type { SearchOutput } from '../search-code.js';
import type { SearchHit } from './hit-rows.js';

/** Characters of a signature in a line. */
const SIGNATURE = 100;

/** Hits, the best first, then the files that they add up to. What comes from the repository is quoted: it is data. */
export function searchMarkdown({ query, hits, files, notes }: SearchOutput): string {
  const about = quotedLine(query, 80);
  if (hits.length === 0)
    return [`Nothing is found for "${about}".`, ...notes.map((note) => `- ${note}`), ''].join('\n');
  return [
    `${plural(hits.length, 'hit')} for "${about}":`,
    '',
    ...hits.flatMap(hitLines),
    ...(files.length > 0 ? ['', `Files: ${files.map((path) => quotedName(path)).join(', ')}`] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    '',
  ].join('\n');
}

function hitLines({
  score,
  id,
  kind,
  file,
  lines,
  signature,
  summary,
  why,
  graph_context,
}: SearchHit): string[] {
  const name = kind === 'file' ? '' : `${quotedName(parseId(id)?.name ?? id)} ${kind}, `;
  const reason = why ? ` (${why.join(', ')})` : '';
  const text = signature ?? summary;
  const around = contextText(graph_context);
  return [
    `- ${score.toFixed(2)} ${name}${shownLine(file, 200)}:${lines}${reason}`,
    ...(text === undefined ? [] : [`  ${quotedName(text, SIGNATURE)}`]),
    ...(around === '' ? [] : [`  ${around}`]),
  ];
}

/** Neighbours by how they are joined: ``called by `a`, `b`; calls `c` ``. */
function contextText(around: SearchHit['graph_context']): string {
  const groups = new Map<string, string[]>();
  for (const { relation, id } of around?.related_chunks ?? []) {
    const { name, path } = parseId(id) ?? {};
    groups.set(relation, [...(groups.get(relation) ?? []), quotedName(name ?? path ?? id, 60)]);
  }
  return [...groups].map(([relation, names]) => `${relation} ${names.join(', ')}`).join('; ');
}
