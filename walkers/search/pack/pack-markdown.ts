import { quotedBlock, quotedName, shownLine } from '../../../present/index.js';
import { parseId } from '../../../schema/index.js';
import { languageOf } from '../../../source/index.js';
import { summaryLine } from '../codebase/codebase-markdown.js';
import type { PackedNode, PackOutput } from '../pack-snippets.js';

/** A section for each node: what it is, where it stands, and its lines as a block. What comes from the repository is data. */
export function packMarkdown(output: PackOutput): string {
  const { nodes, notes } = output;
  return [
    summaryLine(output),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    ...nodes.flatMap(sectionOf),
    '',
  ].join('\n');
}

function sectionOf({ id, kind, qualname, module_path, lineno, snippet, also }: PackedNode): string[] {
  const nameOf = (one: string, otherwise: string) => quotedName(parseId(one)?.name ?? otherwise);
  const [path, place] = snippet
    ? [snippet.path, `:${snippet.start}-${snippet.end}`]
    : [module_path, lineno === null ? '' : `:${lineno}`];
  const where = path === null ? '' : `, ${shownLine(path, 200)}${place}`;
  const others = also.length === 0 ? '' : `, with ${also.map((one) => nameOf(one, one)).join(', ')}`;
  const language = path === null ? undefined : languageOf(path)?.name;
  return [
    '',
    `## ${nameOf(id, qualname)} ${kind}${where}${others}`,
    ...(snippet ? ['', quotedBlock(snippet.text, language ?? 'text')] : []),
  ];
}
