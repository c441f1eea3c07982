import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import { File, fileId, type TraceError } from '../../../schema/index.js';
import { stripHidden } from '../../shown-text.js';
import { placesIn } from '../touched-files.js';

/** Characters of a message and of an output that are looked through, and paths in them that are looked up. */
const LOOKED_AT = 10_000;
const MOST_PATHS = 30;
/** A path as compilers, runners and stack traces write it: with an ending; line and column stand behind it. */
const PATHS =
  /(?<![\p{L}\p{N}_@.~+/\\-])(?:[A-Za-z]:)?[\p{L}\p{N}_@.~+/\\-]*[\p{L}\p{N}_~+-]\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}_/\\-]|\.[\p{L}\p{N}])/gu;

/**
 * The files of the project that an error names, in its message or its output: by their path from the root, by the
 * absolute one, or from a folder within (a package's own), where only one file is meant by that.
 */
export async function filesNamedBy(
  { message, raw_log_excerpt }: Pick<NodeRef<typeof TraceError>, 'message' | 'raw_log_excerpt'>,
  { find, nodesOf, projectRoot }: Pick<ReadContext, 'find' | 'nodesOf' | 'projectRoot'>,
): Promise<NodeRef<typeof File>[]> {
  const said = [message, raw_log_excerpt].map((text) => stripHidden(text.slice(0, LOOKED_AT))).join('\n');
  const written = [...new Set([...said.matchAll(PATHS)].map(([path]) => path))].slice(0, MOST_PATHS);
  const placeOf = placesIn(projectRoot);
  const found = new Map<string, NodeRef<typeof File>>();
  for (const path of written) {
    const place = placeOf(path);
    const [file] = place === null ? [] : await nodesOf(File, [fileId(place)]);
    const named = file && !file.gone ? [file] : await filesEndingIn(path, find);
    const [only] = named;
    if (only && named.length === 1) found.set(only.id, only);
  }
  return [...found.values()];
}

async function filesEndingIn(path: string, find: ReadContext['find']): Promise<NodeRef<typeof File>[]> {
  const parts = path.split(/[\\/]/u).filter((part) => part !== '' && part !== '.');
  // A name alone is of many files, and of things that are no files.
  if (parts.length < 2 || /^(?:[\\/]|[A-Za-z]:)/u.test(path)) return [];
  const end = `/${parts.join('/')}`;
  return (await find(File, { name: parts.at(-1) ?? '' })).filter((file) => file.path.endsWith(end));
}
