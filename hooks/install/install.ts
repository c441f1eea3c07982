import { lstatSync } from 'node:fs';
import { isRecorded } from '../../host/index.js';
import { applyChanges } from './apply.js';
import { entriesChange, type FileChange, wholeChange } from './change.js';
import { type InstallableClient, type Machine, type Part, type Scope, WRITTEN_BY } from './client.js';
import type { Entries } from './entries.js';
import { bytesBefore, hashOf, type InstalledFile, readInstalls, writeInstalls } from './installs.js';
import { type Place, placeAt } from './place.js';
import type { Programs } from './programs.js';
import { refusal } from './refusal.js';
import { holdsEntries, isEmptyObject, withEntries, withoutEntries } from './settings-entries.js';

/** What an installation is about. */
export interface InstallOptions {
  /** The graphs home, where the record is kept. */
  readonly home: string;
  /** The project; null: all of the user's. */
  readonly root: string | null;
  readonly programs: Programs;
  readonly machine: Machine;
  /** Takes a project in which nothing is recorded. */
  readonly force: boolean;
  /** Only says what would be done. */
  readonly dryRun: boolean;
  /** ISO 8601. */
  readonly at: string;
}

/** A change, and what the record says of the file from then on. */
interface Planned {
  readonly change: FileChange;
  readonly whole: boolean;
  readonly before: Uint8Array | null;
}

/**
 * Puts our entries for a client where they belong. What is there already as it must be stays as it is; entries of
 * another version or place are renewed.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where one of the files cannot take them: then none is written.
 */
export function install(client: InstallableClient, options: InstallOptions): FileChange[] {
  const { home, root, programs, machine, force, dryRun, at } = options;
  const installs = readInstalls(home);
  const scope: Scope = root === null ? 'user' : 'project';
  refuseTwice(client, scope, installs);
  if (root !== null && !force) refuseUnrecorded(root, home);
  const planned = client.parts(root, programs, machine).map((part) => {
    const record = installs.find(({ path }) => path === part.path);
    const place = placeAt(part.path);
    return 'entries' in part
      ? entriesPlan(place, part.entries, record, scope)
      : textPlan(place, part, record);
  });
  const changes = planned.map(({ change }) => change);
  if (dryRun) return changes;
  const records = planned.map(({ change, whole, before }): InstalledFile => {
    const { path, missing } = change.place;
    const old = installs.find((other) => other.path === path);
    const record = {
      client: client.name,
      scope,
      root,
      path,
      whole,
      before: before === null ? null : Buffer.from(before).toString('base64'),
      wrote: hashOf(change.after ?? new Uint8Array()),
      folders: [...new Set([...(old?.folders ?? []), ...missing])],
    };
    return { ...record, at: old?.wrote === record.wrote ? old.at : at };
  });
  const written = new Set(records.map(({ path }) => path));
  // The record first: whoever is ended here leaves a file that is not yet what the record says, and that does no harm.
  writeInstalls(home, [...installs.filter(({ path }) => !written.has(path)), ...records]);
  try {
    applyChanges(changes);
  } catch (thrown) {
    writeInstalls(home, installs);
    throw thrown;
  }
  return changes;
}

/** In both scopes every event would be told twice. */
function refuseTwice(client: InstallableClient, scope: Scope, installs: readonly InstalledFile[]): void {
  const other = installs.find((file) => file.client === client.name && file.scope !== scope);
  if (other === undefined) return;
  const where = other.scope === 'user' ? 'for all projects' : `for the project ${other.root}`;
  throw refusal(
    other.path,
    `has our entries ${where}: in both, every event would be told twice`,
    `Take those out (codewalk uninstall ${client.name})`,
  );
}

/** Hooks there would do nothing. */
function refuseUnrecorded(root: string, home: string): void {
  if (isRecorded(root, { home })) return;
  throw refusal(
    root,
    'is neither a git work tree nor has a manifest (package.json, pyproject.toml…): nothing is recorded there',
    'Name the project with --root, or make it one (git init), or say --force',
  );
}

function entriesPlan(
  place: Place,
  entries: Entries,
  record: InstalledFile | undefined,
  scope: Scope,
): Planned {
  const { path, bytes } = place;
  // A settings file may hold keys of the user's: what a project shares is for others to read, too.
  const mode = scope === 'user' ? 0o600 : 0o666;
  const untouched = bytes !== null && record?.wrote === hashOf(bytes);
  const old = record === undefined ? null : bytesBefore(record);
  const before = untouched ? old : withoutOurs(path, bytes, old, record !== undefined);
  if (bytes !== null && holdsEntries(path, bytes, entries))
    return { change: entriesChange(place, bytes, mode), whole: false, before };
  const after = withEntries(path, before ?? new Uint8Array(), entries);
  return { change: entriesChange(place, after, mode), whole: false, before };
}

/** A settings file as it would be without us; null where there would be none. */
export function withoutOurs(
  path: string,
  bytes: Uint8Array | null,
  before: Uint8Array | null,
  recorded: boolean,
): Uint8Array | null {
  if (bytes === null) return null;
  const rest = withoutEntries(path, bytes, before);
  const made = recorded && before === null;
  return made && isEmptyObject(path, rest) ? null : rest;
}

function textPlan(
  place: Place,
  { folder, text }: Extract<Part, { text: string }>,
  record: InstalledFile | undefined,
): Planned {
  const { path, bytes } = place;
  if (isLink(folder)) throw refusal(folder, 'is a link to a folder elsewhere', 'Remove it');
  const ours = bytes === null || record !== undefined || Buffer.from(bytes).includes(WRITTEN_BY);
  if (!ours) throw refusal(path, 'is there already and is not ours', 'Remove it');
  return { change: wholeChange(place, Buffer.from(text), 0o644), whole: true, before: null };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
