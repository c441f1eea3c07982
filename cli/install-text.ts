import type { ChangeKind, FileChange, WantedCommands } from '../hooks/index.js';
import { append } from '../schema/index.js';

/** A change of a file as it is told. */
export interface ChangeRow {
  readonly path: string;
  /** Where a link leads; null: it is none. */
  readonly link_to: string | null;
  readonly change: ChangeKind;
  /** Entries of ours. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renewed: readonly string[];
}

/** Changes as rows. */
export function changeRows(
  changes: readonly FileChange[],
  kindOf: (change: FileChange) => ChangeKind,
): ChangeRow[] {
  return changes.map((change) => {
    const { place, added, removed, renewed } = change;
    const link = place.real === place.path ? null : place.real;
    return { path: place.path, link_to: link, change: kindOf(change), added, removed, renewed };
  });
}

const SIGNS: Readonly<Record<ChangeKind, string>> = { create: '+', change: '~', remove: '-', none: '=' };

/** Rows as a list: files, and under each what comes into it and goes out. */
export function changesText(rows: readonly ChangeRow[], userHome: string): string {
  return rows
    .map(({ path, link_to, change, added, removed, renewed }) =>
      [
        `  ${SIGNS[change]} ${fromHome(path, userHome)}\n`,
        ...(link_to === null ? [] : [`      (a link to ${fromHome(link_to, userHome)})\n`]),
        ...listed('+', added),
        ...listed('~', renewed),
        ...listed('-', removed),
      ].join(''),
    )
    .join('');
}

/** The commands of hooks, each under the events that run it. */
export function commandsText({ hooks }: WantedCommands): string {
  const events = new Map<string, string[]>();
  for (const { event, command } of hooks) append(events, command, event);
  return [...events].map(([command, names]) => `  ${names.join(', ')}\n      ${command}\n`).join('');
}

function fromHome(path: string, userHome: string): string {
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}

/** Names behind a sign, with line breaks where a terminal of 80 columns ends. */
function listed(sign: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < 70) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(name);
  }
  return lines.map((line) => `      ${sign} ${line}\n`);
}
