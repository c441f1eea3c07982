import { placed } from '../placed.js';
import { at, isRecord, type Payload, textAt } from '../read-payload.js';
import type { Call, Doing, Edit } from '../told.js';
import type { Dialect } from './dialect.js';

/** Fields of parameters that name a file. */
const ONE_FILE = ['file_path', 'notebook_path', 'absolute_path', 'filePath', 'path', 'file'];
/** Fields of parameters that name several. */
const FILES = ['file_paths', 'paths', 'files'];
/** Tools whose paths are folders, patterns, or only asked about. */
const NO_FILES: ReadonlySet<Doing> = new Set(['search', 'shell', 'plan']);

/** A call as its parameters tell it. */
export function callOf(
  { tool, input, id }: Pick<Call, 'tool' | 'id'> & { readonly input: unknown },
  cwd: string | undefined,
  { tools }: Pick<Dialect, 'tools'>,
): Call {
  const doing = (Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? 'other';
  const params = isRecord(input) ? input : (objectIn(input) ?? input);
  return {
    id,
    tool,
    doing,
    params: paramsOf(params),
    command: doing === 'shell' ? commandOf(params) : null,
    files: NO_FILES.has(doing) ? [] : filesOf(params, doing).map((file) => placed(file, cwd)),
    cwd: placeOf(params, cwd),
    edits: doing === 'edit' ? editsOf(params, cwd) : [],
  };
}

/** Where a shell ran: a folder of its own that it was given, or that its command goes to first. */
function placeOf(params: unknown, cwd: string | undefined): string | null {
  const given = textAt(params, 'directory') || cwd;
  const [, quoted, plain] =
    /^\s*cd (?:"([^"$`]+)"|([^\s"'$`;&|]+))\s*(?:&&|;)/u.exec(commandOf(params) ?? '') ?? [];
  const folder = quoted ?? plain;
  const base = given === undefined ? undefined : placed(given, cwd);
  return (folder === undefined || folder.startsWith('~') ? base : placed(folder, base)) ?? null;
}

function objectIn(input: unknown): Payload | null {
  if (typeof input !== 'string') return null;
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function paramsOf(params: unknown): Call['params'] {
  if (isRecord(params) || typeof params === 'string') return params;
  return params === undefined || params === null ? null : { value: params };
}

function commandOf(params: unknown): string | null {
  const command = at(params, 'command') ?? at(params, 'cmd') ?? (typeof params === 'string' ? params : null);
  if (Array.isArray(command)) return command.filter((part) => typeof part === 'string').join(' ');
  return typeof command === 'string' ? command : null;
}

function filesOf(params: unknown, doing: Doing): string[] {
  const one = ONE_FILE.map((field) => textAt(params, field));
  const many = FILES.flatMap((field) => {
    const value = at(params, field);
    return Array.isArray(value) ? value.map((path: unknown) => (typeof path === 'string' ? path : null)) : [];
  });
  const named = [...one, ...many].filter((path) => path !== null && path.trim() !== '');
  // A pattern is no file; of a tool that nobody knows a path may as well be a folder's.
  const files = named.filter(
    (path) =>
      path !== null &&
      !path.includes('*') &&
      (doing !== 'other' || /(?:^|[/\\])\.*[^/\\.][^/\\]*\.\w+$/u.test(path)),
  );
  return [...new Set(files.flatMap((path) => path ?? []))];
}

function editsOf(params: unknown, cwd: string | undefined): Edit[] {
  const [path] = filesOf(params, 'edit');
  if (path === undefined) return [];
  const file = placed(path, cwd);
  const several = at(params, 'edits');
  const parts: readonly unknown[] = Array.isArray(several) ? several : [params];
  return parts.flatMap((part) => {
    const now = textAt(part, 'new_string') ?? textAt(part, 'content') ?? textAt(part, 'new_source');
    return now === null ? [] : [{ file, old: textAt(part, 'old_string') ?? '', now }];
  });
}
