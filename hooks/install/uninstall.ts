import { dirname } from 'node:path';
import { type CodewalkError, toCodewalkError } from '../../schema/index.js';
import { applyChanges, removeEmpty } from './apply.js';
import { entriesChange, type FileChange, kindOf, wholeChange } from './change.js';
import { type InstallableClient, type Machine, type Part, WRITTEN_BY } from './client.js';
import { withoutOurs } from './install.js';
import { bytesBefore, hashOf, type InstalledFile, readInstalls, writeInstalls } from './installs.js';
import { placeAt } from './place.js';
import type { Programs } from './programs.js';

/** What is taken back. */
export interface UninstallOptions {
  /** The graphs home, where the record is kept. */
  readonly home: string;
  /** The project that is looked at, too, where the record says nothing of it; null: none. */
  readonly root: string | null;
  /** Whatever they are: they tell where entries would be. */
  readonly programs: Programs;
  readonly machine: Machine;
  /** Only says what would be done. */
  readonly dryRun: boolean;
}

/** What became of the files. */
export interface Uninstalled {
  readonly changes: readonly FileChange[];
  /** Why files keep what is ours in them. */
  readonly refused: readonly CodewalkError[];
}

/** A file that may have something of ours. */
interface Suspect {
  readonly path: string;
  readonly record: InstalledFile | null;
  /** What belongs there, if that is known. */
  readonly part: Part | null;
}

/**
 * Takes what is ours out of the files of some clients: those of the record, and those where it belongs. A file that
 * nobody else has written since is as it was before, byte for byte.
 */
export function uninstall(clients: readonly InstallableClient[], options: UninstallOptions): Uninstalled {
  const { home, dryRun } = options;
  const installs = readInstalls(home);
  const suspects = clients.flatMap((client) => suspectsOf(client, installs, options));
  const changes: FileChange[] = [];
  const refused: CodewalkError[] = [];
  const kept = new Set<string>();
  const left: string[] = [];
  for (const suspect of suspects)
    try {
      const change = removalOf(suspect);
      if (!dryRun) applyChanges([change]);
      if (kindOf(change) !== 'none') changes.push(change);
      left.push(...foldersOf(suspect));
    } catch (thrown) {
      refused.push(toCodewalkError(thrown));
      kept.add(suspect.path);
    }
  if (dryRun) return { changes, refused };
  removeEmpty(left);
  const names = new Set(clients.map(({ name }) => name));
  if (installs.length > 0)
    writeInstalls(
      home,
      installs.filter(({ client, path }) => !names.has(client) || kept.has(path)),
    );
  return { changes, refused };
}

function suspectsOf(
  client: InstallableClient,
  installs: readonly InstalledFile[],
  { root, programs, machine }: UninstallOptions,
): Suspect[] {
  const recorded = installs.filter((file) => file.client === client.name);
  const parts = [null, ...(root === null ? [] : [root])].flatMap((at) => client.parts(at, programs, machine));
  const partAt = (path: string) => parts.find((part) => part.path === path) ?? null;
  return [
    ...recorded.map((record) => ({ path: record.path, record, part: partAt(record.path) })),
    ...parts
      .filter(({ path }, at) => parts.findIndex((part) => part.path === path) === at)
      .filter(({ path }) => !recorded.some((record) => record.path === path))
      .map((part) => ({ path: part.path, record: null, part })),
  ];
}

function removalOf({ path, record, part }: Suspect): FileChange {
  const place = placeAt(path);
  const { bytes } = place;
  if (bytes === null) return wholeChange(place, null, 0);
  const before = record === null ? null : bytesBefore(record);
  if (record?.whole ?? (part !== null && 'text' in part)) {
    const ours = record !== null || Buffer.from(bytes).includes(WRITTEN_BY);
    return wholeChange(place, ours ? before : bytes, 0);
  }
  const untouched = record?.wrote === hashOf(bytes);
  const after = untouched ? before : withoutOurs(path, bytes, before, record !== null);
  return entriesChange(place, after, 0);
}

/** The folders that may have been made for a file. */
function foldersOf({ path, record, part }: Suspect): string[] {
  if (record !== null) return record.folders;
  return part !== null && 'text' in part ? foldersUpTo(part.folder, dirname(path)) : [];
}

function foldersUpTo(top: string, folder: string): string[] {
  return folder.length < top.length ? [] : [folder, ...foldersUpTo(top, dirname(folder))];
}
