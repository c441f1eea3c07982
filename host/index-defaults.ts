import { CodewalkError, type Settings, toCodewalkError } from '../schema/index.js';
import { readGlobs } from '../source/index.js';
import { settingsFor } from './config.js';
import { configFile, type HomeOptions } from './surroundings.js';

/** The settings that say which files an index takes: input fields of `graph_index_project`. */
export type IndexDefaults = Pick<Settings, 'include' | 'exclude' | 'max_file_bytes'>;

/**
 * What the configuration says of the files that an index of a root takes: for every index, and for whoever looks for
 * changes. Only our own file is asked: nothing in a repository can set it.
 *
 * @param root The root's real path.
 * @throws CodewalkError `CONFIG_INVALID`
 */
export function indexDefaults(root: string | null, options: HomeOptions = {}): IndexDefaults {
  const { include, exclude, max_file_bytes } = settingsFor(root, options);
  try {
    readGlobs([...include, ...exclude]);
  } catch (thrown) {
    const { message, suggestion, providedInput } = toCodewalkError(thrown);
    const file = configFile(options);
    throw new CodewalkError('CONFIG_INVALID', `${file}: ${message}`, {
      suggestion: `${suggestion} Correct it in ${file}.`,
      input: providedInput,
      cause: thrown,
    });
  }
  return { include, exclude, max_file_bytes };
}

/** A walker's input with what the configuration says where the caller said nothing. As {@link indexDefaults}. */
export function withDefaults(
  walker: string,
  input: Readonly<Record<string, unknown>>,
  root: string | null,
  options: HomeOptions = {},
): Record<string, unknown> {
  const defaults = walker === 'graph_index_project' ? indexDefaults(root, options) : {};
  return { ...defaults, ...input };
}
