import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecorded } from '../../host/index.js';
import { type CodewalkError, type Profile, toCodewalkError } from '../../schema/index.js';
import { type Client, type Entries, type Machine, type Part, WRITTEN_BY } from '../agent.js';
import { type EntryMap, entriesOf, type Programs, profilesOfServer, serverIn } from './entries.js';
import {
  applyChanges,
  bytesAt,
  changeOf,
  type FileChange,
  hashOf,
  type InstalledFile,
  placeAt,
  readInstalls,
  refusal,
  removeEmpty,
  writeInstalls,
} from './files.js';
import {
  entriesIn,
  entryMap,
  holdsEntries,
  isEmptyFile,
  withEntries,
  withoutEntries,
} from './settings-file.js';

/** Where installations are, and what they name. */
interface Installation {
  /** The graphs home, where the record is stored. */
  readonly home: string;
  /** Of `install`: the project; null: all of the user's. Of `uninstall`: a project that is looked at, too; null: none. */
  readonly root: string | null;
  readonly programs: Programs;
  readonly machine: Machine;
  /** Only says what would be done. */
  readonly dryRun: boolean;
}

/** What an installation is about. */
export interface InstallOptions extends Installation {
  /** Takes a project in which nothing is recorded. */
  readonly force: boolean;
  /** ISO 8601. */
  readonly at: string;
}

/** A change of a file, as it is shown. */
export interface ChangedFile {
  readonly path: string;
  /** Where a link leads; null: it is none. */
  readonly link_to: string | null;
  readonly change: ReturnType<typeof changeOf>;
  /** Entries of ours in a settings file: `hooks.Stop`, `mcpServers.codewalk`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renewed: readonly string[];
}

/** A change, and what the record says of the file from then on. */
interface Plan extends FileChange {
  readonly whole: boolean;
  readonly before: Uint8Array | null;
}

function changedFile({ place, after, whole }: Plan): ChangedFile {
  const { path, real } = place;
  const entries = (bytes: Uint8Array | null): EntryMap =>
    whole || bytes === null ? new Map() : entriesIn(path, bytes);
  const [old, fresh] = [entries(place.bytes), entries(after)];
  const names = [...fresh.keys()];
  return {
    path,
    link_to: real === path ? null : real,
    change: changeOf({ place, after }),
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !fresh.has(name)),
    renewed: names.filter((name) => old.has(name) && !isDeepStrictEqual(old.get(name), fresh.get(name))),
  };
}

/** The files of an installation for all projects (null) or for one. */
export function partsOf(
  agent: Client,
  root: string | null,
  { programs, machine }: Pick<Installation, 'programs' | 'machine'>,
): readonly Part[] {
  return agent.parts(root, entriesOf(agent, programs), machine);
}

/** The entries of ours that belong into a part, or that its file has; none where it holds no settings. */
export function entriesOfPart(part: Part, bytes: Uint8Array | null): EntryMap {
  return bytes !== null && !part.path.endsWith('.md') ? entriesIn(part.path, bytes) : new Map();
}

/** What of ours belongs into a part. */
export function wantedOf(part: Part): EntryMap {
  return 'entries' in part ? entryMap(part.entries) : entriesOfPart(part, Buffer.from(part.text));
}

/** The profiles that an installed server names; none where it has the default, or is not installed. */
export function installedProfiles(
  agent: Client,
  root: string | null,
  where: Pick<Installation, 'programs' | 'machine'>,
): readonly Profile[] {
  return partsOf(agent, root, where).flatMap((part) =>
    profilesOfServer(serverIn(entriesOfPart(part, bytesAt(part.path)))),
  );
}

/**
 * Puts our entries for an agent where they belong. What is there already as it must be stays as it is; entries of
 * another version or place are renewed.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where one of the files cannot take them: then none is written.
 */
export function install(agent: Client, options: InstallOptions): ChangedFile[] {
  const { home, root, dryRun, at } = options;
  const installs = readInstalls(home);
  const scope = root === null ? 'user' : 'project';
  checkScope(agent, options, installs);
  const parts = partsOf(agent, root, options);
  if (parts.length === 0)
    throw refusal(
      agent.title,
      root === null ? 'has no settings on this system' : 'has no settings for one project',
      root === null ? 'Put the server where it is' : 'Say --scope user',
    );
  const plans = parts.map((part) => {
    const record = installs.find(({ path }) => path === part.path);
    // A settings file may hold keys of the user's: what a project shares is for others to read, too.
    return 'entries' in part
      ? entriesPlan(part, record, scope === 'user' ? 0o600 : 0o666)
      : textPlan(part, record);
  });
  if (dryRun) return plans.map(changedFile);
  const records = plans.map(({ place: { path, missing }, after, whole, before }): InstalledFile => {
    const old = installs.find((other) => other.path === path);
    const wrote = hashOf(after ?? new Uint8Array());
    return {
      client: agent.name,
      scope,
      root,
      path,
      whole,
      before: before === null ? null : Buffer.from(before).toString('base64'),
      wrote,
      folders: [...new Set([...(old?.folders ?? []), ...missing])],
      at: old?.wrote === wrote ? old.at : at,
    };
  });
  const written = new Set(records.map(({ path }) => path));
  // The record first: a process that is ended here leaves a file that is not yet what the record says, and that does no harm.
  writeInstalls(home, [...installs.filter(({ path }) => !written.has(path)), ...records]);
  try {
    applyChanges(plans);
  } catch (thrown) {
    writeInstalls(home, installs);
    throw thrown;
  }
  return plans.map(changedFile);
}

/** In both scopes every event would be recorded twice; in a project that is none, none. */
function checkScope(
  agent: Client,
  { home, root, force }: InstallOptions,
  installs: readonly InstalledFile[],
) {
  const other = installs.find(
    (file) => file.client === agent.name && (file.scope === 'user') !== (root === null),
  );
  if (other !== undefined)
    throw refusal(
      other.path,
      `has our entries ${other.root === null ? 'for all projects' : `for the project ${other.root}`}: in both, every event would be recorded twice`,
      `Take those out (codewalk uninstall ${agent.name})`,
    );
  if (root !== null && !force && !isRecorded(root, { home }))
    throw refusal(
      root,
      'is neither a git work tree nor has a manifest (package.json, pyproject.toml…): nothing is recorded there',
      'Name the project with --root, or make it one (git init), or say --force',
    );
}

type EntriesPart = Extract<Part, { entries: Entries }>;
type TextPart = Extract<Part, { text: string }>;

function entriesPlan(
  { path, entries, awaited }: EntriesPart,
  record: InstalledFile | undefined,
  mode: number,
): Plan {
  const place = placeAt(path);
  const { bytes } = place;
  if (bytes === null && awaited)
    throw refusal(path, 'is not there yet', 'Start the client once, which makes it');
  const before = bytesWithoutUs(path, bytes, record);
  const isThere = bytes !== null && holdsEntries(path, bytes, entries);
  const after = isThere ? bytes : withEntries(path, before ?? new Uint8Array(), entries);
  return { place, after, mode, whole: false, before };
}

/** A settings file as it would be without us; null where there would be none. */
function bytesWithoutUs(
  path: string,
  bytes: Uint8Array | null,
  record: InstalledFile | undefined,
): Uint8Array | null {
  if (bytes === null) return null;
  const before = record?.before == null ? null : Buffer.from(record.before, 'base64');
  if (record?.wrote === hashOf(bytes)) return before;
  const rest = withoutEntries(path, bytes, before);
  return record !== undefined && before === null && isEmptyFile(path, rest) ? null : rest;
}

function textPlan({ path, folder, text }: TextPart, record: InstalledFile | undefined): Plan {
  const place = placeAt(path);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw refusal(folder, 'is a link to a folder elsewhere', 'Remove it');
  if (place.bytes !== null && record === undefined && !isWrittenByUs(place.bytes))
    throw refusal(path, 'is there already and is not ours', 'Remove it');
  return { place, after: Buffer.from(text), mode: 0o644, whole: true, before: null };
}

function isWrittenByUs(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(WRITTEN_BY);
}

/** What became of the files. */
export interface Uninstalled {
  readonly changes: readonly ChangedFile[];
  /** Why files still have entries of ours. */
  readonly refused: readonly CodewalkError[];
}

/**
 * Takes what is ours out of the files of some agents: those of the record, and those where it belongs. A file that
 * nobody else has written since is as it was before, byte for byte.
 */
export function uninstall(chosen: readonly Client[], options: Installation): Uninstalled {
  const { home, dryRun } = options;
  const installs = readInstalls(home);
  const changes: ChangedFile[] = [];
  const refused: CodewalkError[] = [];
  const left = new Set<string>();
  const folders: string[] = [];
  for (const suspect of chosen.flatMap((agent) => suspectsOf(agent, installs, options)))
    try {
      const change = removalOf(suspect);
      if (!dryRun) applyChanges([change]);
      if (changeOf(change) !== 'none') changes.push(changedFile(change));
      folders.push(...foldersOf(suspect));
    } catch (thrown) {
      refused.push(toCodewalkError(thrown));
      left.add(suspect.path);
    }
  if (dryRun) return { changes, refused };
  removeEmpty(folders);
  const names = new Set(chosen.map(({ name }) => name));
  if (installs.length > 0)
    writeInstalls(
      home,
      installs.filter(({ client, path }) => !names.has(client) || left.has(path)),
    );
  return { changes, refused };
}

/** A file that may have something of ours, and what belongs there, if that is known. */
interface Suspect {
  readonly path: string;
  readonly record: InstalledFile | undefined;
  readonly part: Part | undefined;
}

function suspectsOf(agent: Client, installs: readonly InstalledFile[], options: Installation): Suspect[] {
  const roots = new Set([null, options.root]);
  const recorded = installs.filter(({ client }) => client === agent.name);
  const parts = [...roots].flatMap((root) => partsOf(agent, root, options));
  const paths = new Set([...recorded, ...parts].map(({ path }) => path));
  return [...paths].map((path) => ({
    path,
    record: recorded.find((file) => file.path === path),
    part: parts.find((part) => part.path === path),
  }));
}

function removalOf({ path, record, part }: Suspect): Plan {
  const place = placeAt(path);
  const { bytes } = place;
  const whole = record?.whole ?? (part !== undefined && 'text' in part);
  const isOurs = bytes !== null && (record !== undefined || isWrittenByUs(bytes));
  const rest = isOurs ? null : bytes;
  return { place, mode: 0, whole, before: null, after: whole ? rest : bytesWithoutUs(path, bytes, record) };
}

/** The folders that may have been made for a file. */
function foldersOf({ path, record, part }: Suspect): readonly string[] {
  if (record !== undefined) return record.folders;
  const folders: string[] = [];
  if (part !== undefined && 'text' in part)
    for (let folder = dirname(path); folder.length >= part.folder.length; folder = dirname(folder))
      folders.push(folder);
  return folders;
}
