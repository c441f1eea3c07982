import { CodewalkError } from '../../schema/index.js';
import { checkRoot, platformOf } from '../../source/index.js';
import { settingsFor } from '../config.js';
import { isRecorded } from '../eligible.js';
import { projectRootOf } from '../project-root.js';
import type { HomeOptions, Surroundings } from '../surroundings.js';
import type { EntryLabel } from './entry-label.js';

/** Why events of a root are not recorded, by rule: their files are removed, and counted. */
export type Declined =
  /** Neither a work tree of git nor a folder with a manifest, and nobody indexed it (C-02). */
  | 'ineligible'
  /** A whole disk or a home directory (P-05). */
  | 'root-refused'
  /** The user paused recording in this project. */
  | 'paused'
  /** It was set aside, and others that came later need its room. */
  | 'pushed-out';

/** What the journal does with the events of a root. */
export type RootVerdict = { readonly root: string } | { readonly declined: Declined } | 'root-gone';

/** Decides where events belong, by what their labels say; each label is looked at once. */
export class EventRoots {
  readonly #options: HomeOptions & { readonly home: string; readonly surroundings: Surroundings };
  readonly #known = new Map<string, RootVerdict>();

  constructor(options: HomeOptions & { readonly home: string; readonly surroundings: Surroundings }) {
    this.#options = options;
  }

  of({ place, path }: EntryLabel): RootVerdict {
    const key = `${place} ${path}`;
    const known = this.#known.get(key);
    if (known) return known;
    const verdict = this.#decide(place, path);
    this.#known.set(key, verdict);
    return verdict;
  }

  #decide(place: EntryLabel['place'], path: string): RootVerdict {
    const { cwd, userHome } = this.#options.surroundings;
    let root: string;
    try {
      root = checkRoot(place === 'root' ? path : projectRootOf(path, this.#options), {
        mustBeAbsolute: true,
        platform: platformOf(),
        home: userHome,
        cwd,
      });
    } catch (thrown) {
      if (!(thrown instanceof CodewalkError)) throw thrown;
      return thrown.code === 'ROOT_REFUSED' ? { declined: 'root-refused' } : 'root-gone';
    }
    if (this.#isPaused(root)) return { declined: 'paused' };
    if (isRecorded(root, this.#options)) return { root };
    return { declined: 'ineligible' };
  }

  #isPaused(root: string): boolean {
    return settingsFor(root, this.#options).paused;
  }
}
