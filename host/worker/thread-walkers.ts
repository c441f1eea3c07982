import type { WalkerType } from '../../runtime/index.js';
import { CodewalkError, toCodewalkError } from '../../schema/index.js';
import { WalkerRegistry } from '../registry.js';
import { type LoadedWalkers, loadUserWalkers } from '../user-walkers.js';

/** People's own walkers as a thread has them: each folder by itself, since they belong to different clients. */
export class ThreadWalkers {
  readonly #folders: ReadonlyMap<string, LoadedWalkers | CodewalkError>;
  readonly #registries = new Map<string, WalkerRegistry>();

  private constructor(folders: ReadonlyMap<string, LoadedWalkers | CodewalkError>) {
    this.#folders = folders;
  }

  /** Loads the folders. One that is bad is refused to those who ask for it, and to nobody else. */
  static async load(folders: readonly string[]): Promise<ThreadWalkers> {
    const loaded = new Map<string, LoadedWalkers | CodewalkError>();
    for (const folder of folders)
      loaded.set(
        folder,
        await loadUserWalkers([folder], { cwd: folder }).catch((error) => toCodewalkError(error)),
      );
    return new ThreadWalkers(loaded);
  }

  /** Archetypes and arrivals of all folders that could be loaded. */
  get all(): Pick<LoadedWalkers, 'archetypes' | 'arrivals'> {
    const good = [...this.#folders.values()].filter((one) => 'walkers' in one);
    return {
      archetypes: good.flatMap(({ archetypes }) => archetypes),
      arrivals: good.flatMap(({ arrivals }) => arrivals),
    };
  }

  /** Whether a walker is one of the user's own. */
  isOwn(walker: WalkerType): boolean {
    return [...this.#folders.values()].some((one) => 'walkers' in one && one.walkers.includes(walker));
  }

  /**
   * The built-in walkers and those of the given folders.
   *
   * @throws CodewalkError `WALKER_INVALID`.
   */
  registry(folders: readonly string[]): WalkerRegistry {
    const key = JSON.stringify(folders);
    const known = this.#registries.get(key);
    if (known) return known;
    const registry = new WalkerRegistry(this.#own(folders), { bare: false });
    this.#registries.set(key, registry);
    return registry;
  }

  /**
   * The walkers of the given folders.
   *
   * @throws CodewalkError `WALKER_INVALID`.
   */
  #own(folders: readonly string[]): WalkerType[] {
    return folders.flatMap((folder) => {
      const loaded = this.#folders.get(folder);
      if (loaded instanceof CodewalkError) throw loaded;
      return loaded?.walkers ?? [];
    });
  }
}
