import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { type Entries, isOurGroup, isOurHook, isOurServer, SERVER_NAME } from './entries.js';
import { refusal } from './refusal.js';
import { nodeAt, plainValue, type SettingsText, settingsText, valueNode } from './settings-text.js';
import { insertion, removal, type Splice, spliced } from './splice.js';

/** A file as bytes. */
type Bytes = Uint8Array;

/** What of {@link Entries} a file has, of whatever version. */
export interface FoundEntries {
  readonly hooks?: Readonly<Record<string, readonly unknown[]>>;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}

/**
 * A settings file with entries of ours in it, which it has none of. What else is in it stays as it is, byte for byte.
 *
 * @param path For errors.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot hold them.
 */
export function withEntries(path: string, bytes: Bytes, { hooks = {}, mcpServers }: Entries): Bytes {
  let now = bytes;
  const insert = (keys: readonly string[], value: unknown, asElement = false) => {
    now = changed(path, now, (file) => insertAt(path, file, keys, value, asElement));
  };
  if (Object.keys(hooks).length > 0) {
    if (!has(path, now, ['hooks'])) insert(['hooks'], hooks);
    else
      for (const [event, groups] of Object.entries(hooks)) {
        if (!has(path, now, ['hooks', event])) insert(['hooks', event], groups);
        else for (const group of groups) insert(['hooks', event], group, true);
      }
  }
  if (mcpServers !== undefined) {
    if (!has(path, now, ['mcpServers'])) insert(['mcpServers'], mcpServers);
    else insert(['mcpServers', SERVER_NAME], mcpServers[SERVER_NAME]);
  }
  return now;
}

/**
 * A settings file without the entries of ours, of whatever version. What they leave empty goes too, if it was not there
 * before.
 *
 * @param before The file before we wrote to it; null: not known, or there was none.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot be read.
 */
export function withoutEntries(path: string, bytes: Bytes, before: Bytes | null): Bytes {
  const old = before === null ? null : settingsText(path, before);
  const was = (keys: readonly string[]) => old !== null && nodeAt(old.root, keys) !== undefined;
  let now = bytes;
  for (;;) {
    const next = changed(path, now, (file) => firstRemoval(file, was));
    if (Buffer.compare(next, now) === 0) return now;
    now = next;
  }
}

/** The entries of ours that a settings file has. Throws as {@link withoutEntries}. */
export function entriesIn(path: string, bytes: Bytes): FoundEntries {
  const { root } = settingsText(path, bytes);
  const server = plainValue(nodeAt(root, ['mcpServers', SERVER_NAME]));
  const hooks: unknown = plainValue(valueNode(root, 'hooks'));
  const groups = Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([event, list]) => {
    const ours = Array.isArray(list) ? list.filter(isOurGroup) : [];
    return ours.length === 0 ? [] : [[event, ours] as const];
  });
  return {
    ...(groups.length === 0 ? {} : { hooks: Object.fromEntries(groups) }),
    ...(isOurServer(server) ? { mcpServers: { [SERVER_NAME]: server } } : {}),
  };
}

/** Entries by their places: `hooks.Stop`, `mcpServers.codewalk`. */
export function keysOfEntries({ hooks = {}, mcpServers = {} }: FoundEntries): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(hooks).map(([event, groups]) => [`hooks.${event}`, groups] as const),
    ...Object.entries(mcpServers).map(([name, server]) => [`mcpServers.${name}`, server] as const),
  ]);
}

/** A setting at the top of a file. Throws as {@link withoutEntries}. */
export function settingAt(path: string, bytes: Bytes, key: string): unknown {
  return plainValue(valueNode(settingsText(path, bytes).root, key));
}

/** Whether a settings file has exactly these entries of ours, in whatever order. */
export function holdsEntries(path: string, bytes: Bytes, entries: Entries): boolean {
  return isDeepStrictEqual(entriesIn(path, bytes), JSON.parse(JSON.stringify(entries)));
}

/** Whether nothing is in a settings file but an empty object. */
export function isEmptyObject(path: string, bytes: Bytes): boolean {
  return settingsText(path, bytes).text.trim() === '{}';
}

function changed(path: string, bytes: Bytes, change: (file: SettingsText) => readonly Splice[]): Bytes {
  const file = settingsText(path, bytes);
  const splices = change(file);
  return splices.length === 0 ? bytes : Buffer.from(file.mark + spliced(file.text, splices));
}

function has(path: string, bytes: Bytes, keys: readonly string[]): boolean {
  return nodeAt(settingsText(path, bytes).root, keys) !== undefined;
}

function insertAt(
  path: string,
  { text, root }: SettingsText,
  keys: readonly string[],
  value: unknown,
  asElement: boolean,
): Splice[] {
  const into = asElement ? nodeAt(root, keys) : nodeAt(root, keys.slice(0, -1));
  const type = asElement ? 'array' : 'object';
  const name = (asElement ? keys : keys.slice(0, -1)).join('.');
  if (into?.type !== type) throw refusal(path, `has something else than an ${type} in '${name}'`);
  const key = keys.at(-1);
  if (asElement || key === undefined) return [insertion(text, into, value)];
  if (valueNode(into, key) !== undefined)
    throw refusal(path, `has a '${keys.join('.')}' that is not ours`, 'Rename or remove that entry');
  return [insertion(text, into, value, key)];
}

/** What takes out the first thing of ours that is found, or what such a thing has left empty. */
function firstRemoval({ text, root }: SettingsText, was: (keys: readonly string[]) => boolean): Splice[] {
  const server = nodeAt(root, ['mcpServers', SERVER_NAME]);
  if (server?.parent && isOurServer(plainValue(server)))
    return takenOut(text, root, server.parent, [['mcpServers']], was);
  for (const property of propertiesOf(valueNode(root, 'hooks'))) {
    const [event, list] = property.children ?? [];
    const group = (list?.type === 'array' ? list.children : undefined)?.find((one) =>
      isOurGroup(plainValue(one)),
    );
    if (group === undefined) continue;
    const commands = valueNode(group, 'hooks')?.children ?? [];
    const ours = commands.filter((one) => isOurHook(plainValue(one)));
    const [first] = ours;
    if (first !== undefined && ours.length < commands.length) return removal(text, first);
    return takenOut(text, root, group, [['hooks', String(event?.value)], ['hooks']], was);
  }
  return [];
}

/** A child goes, and with it what held nothing else and was not there before. */
function takenOut(
  text: string,
  root: Node,
  child: Node,
  holders: readonly (readonly string[])[],
  was: (keys: readonly string[]) => boolean,
): Splice[] {
  const [keys, ...above] = holders;
  const holder = keys && nodeAt(root, keys);
  const alone = keys !== undefined && holder?.children?.length === 1;
  if (alone && holder.parent && !was(keys)) return takenOut(text, root, holder.parent, above, was);
  return removal(text, child);
}

function propertiesOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'object' ? (node.children ?? []) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
