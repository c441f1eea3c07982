import type { ChangedFile, HookCommand } from '../hooks/index.js';
import { append } from '../schema/index.js';

const SIGNS: Readonly<Record<ChangedFile['change'], string>> = {
  create: '+',
  change: '~',
  remove: '-',
  none: '=',
};

/** Rows as a list: files, and under each what comes into it and goes out. */
export function changesText(rows: readonly ChangedFile[], userHome: string): string {
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
export function commandsText(hooks: readonly HookCommand[]): string {
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
