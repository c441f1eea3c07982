import { rmSync } from 'node:fs';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { LayerStore, ProjectHomes } from '../../storage/index.js';
import { entriesOf, sizeOf } from '../folders.js';
import {
  type Backup,
  type BackupCounts,
  backupPath,
  listBackups,
  outdatedBackups,
  writeBackup,
} from './backup-file.js';
import { archiveLines, layerLines, mergedLines } from './layer-lines.js';

/** A backup that was made, and what it holds. */
export type MadeBackup = Omit<Backup, 'revision'> & BackupCounts;

/**
 * Makes a backup of one version of a durable layer, which others may read and write meanwhile. What only the archive of
 * an earlier version still has goes into it, too; then the archive is removed.
 *
 * @param options.now Milliseconds since 1970.
 * @param options.rolls Whether a damaged layer is refused, and old backups give way to the new one. Default false.
 * @throws CodewalkError as {@link writeBackup}; `STORE_CORRUPT` for a damaged layer that is refused.
 */
export async function makeBackup(
  layer: LayerStore,
  homes: Pick<ProjectHomes, 'backups' | 'archive'>,
  { now, rolls = false, signal }: { now: number; rolls?: boolean; signal?: AbortSignal },
): Promise<MadeBackup> {
  const path = backupPath(homes.backups, now, layer.revision);
  const snapshot = layer.snapshot();
  try {
    const hasArchive = entriesOf(homes.archive).length > 0;
    const sources = [layerLines(snapshot), ...(hasArchive ? [archiveLines(homes.archive)] : [])];
    const counts = await writeBackup(path, mergedLines(sources.map((lines) => ({ lines }))), signal);
    // Older backups have what a damaged layer lacks: they must not give way to one of that.
    if (rolls && layer.damaged.size > 0) {
      rmSync(path);
      throw new CodewalkError('STORE_CORRUPT', `${layer.damaged.size} records are damaged`);
    }
    if (hasArchive) rmSync(homes.archive, { recursive: true, force: true });
    for (const old of rolls ? outdatedBackups(homes.backups) : []) rmSync(old.path, { force: true });
    return { path, made_at: new Date(now).toISOString(), bytes: sizeOf(path), ...counts };
  } finally {
    await snapshot.close();
  }
}

/** What {@link RollingBackups} stands on. */
interface RollingOptions {
  /** The durable layer while it is open; null: it is not. */
  readonly layer: () => Promise<LayerStore> | null;
  /** Called when a backup begins and when it ends. */
  readonly onRun: (change: 1 | -1) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds between a request and the look whether a backup is due. Default `LIMITS.backupDelay`. */
  readonly delayMs?: number;
}

/** Makes a backup of a history once a day while something changed, in the background. */
export class RollingBackups {
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<unknown> | null = null;
  #stopped = new AbortController();

  constructor(private readonly options: RollingOptions) {}

  /** Looks soon whether a backup is due. To be called after each request. What fails is tried again after the next. */
  look(homes: ProjectHomes): void {
    if (this.#timer !== null || this.#running !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.makeDue(homes).catch(() => undefined);
    }, this.options.delayMs ?? LIMITS.backupDelay.default).unref();
  }

  /** Makes a backup now. @param rolls As for {@link makeBackup}. @throws CodewalkError as {@link makeBackup}. */
  async make(homes: ProjectHomes, layer: LayerStore, rolls = false): Promise<MadeBackup> {
    while (this.#running) await this.#running.catch(() => undefined);
    const { onRun, now } = this.options;
    const made = makeBackup(layer, homes, { now: now(), rolls, signal: this.#stopped.signal });
    this.#running = made;
    onRun(1);
    try {
      return await made;
    } finally {
      this.#running = null;
      onRun(-1);
    }
  }

  /** Gives up the backup that is being made. To be called before the layer is closed; it may be opened again. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#stopped.abort();
    await this.#running?.catch(() => undefined);
    this.#stopped = new AbortController();
  }

  /** Makes a backup if one is due; null: none is. @throws CodewalkError as {@link makeBackup}. */
  async makeDue(homes: ProjectHomes): Promise<MadeBackup | null> {
    const layer = await this.options.layer();
    if (layer === null || layer.damaged.size > 0) return null;
    const newest = listBackups(homes.backups).at(-1);
    // A clock that was set back makes the age negative.
    const age = Math.abs(this.options.now() - Date.parse(newest?.made_at ?? ''));
    if (newest?.revision === layer.revision || age < LIMITS.backupInterval.default) return null;
    const { nodes } = await layer.counts();
    const isEmpty = nodes.size === 0 && entriesOf(homes.archive).length === 0;
    return isEmpty ? null : this.make(homes, layer, true);
  }
}
